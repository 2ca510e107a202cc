/** Values that fit a JSON schema, with names and ids of what is there where a field wants one. */
import type { Random } from "./random.ts";

export type Schema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
};
/** Values by the name of the field they are for. */
export type Pools = Readonly<Record<string, readonly unknown[]>>;

/** Of a hundred bodies, how many have an optional field. */
const usual = 30;
const often: Readonly<Record<string, number>> = {
  text: 80,
  parts: 10,
  branch: 5,
  model: 10,
  effort: 10,
  workspace: 15,
  agent: 20,
  scope: 15,
  input: 10,
  seed: 15,
  messageId: 15,
};
const words = ["", "a", "hello", "ü😀", "line\nbreak", "ask", "../..", "null", "x".repeat(300)] as const;

export class Generator {
  readonly #random: Random;
  readonly #pools: Pools;

  constructor(random: Random, pools: Pools) {
    this.#random = random;
    this.#pools = pools;
  }

  value(schema: Schema, field = "", defs = schema.$defs ?? {}, depth = 0): unknown {
    const pool = this.#pools[field];
    if (pool !== undefined && pool.length > 0 && this.#random.chance(85)) return this.#random.of(pool);
    if (schema.$ref !== undefined)
      return this.value(defs[schema.$ref.split("/").at(-1) ?? ""] ?? {}, field, defs, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.#random.of(schema.enum);
    const forms = schema.anyOf ?? schema.oneOf;
    if (forms !== undefined) return this.value(this.#random.of(forms) ?? {}, field, defs, depth);
    return this.#ofType(schema, field, defs, depth);
  }
  #ofType(schema: Schema, field: string, defs: Readonly<Record<string, Schema>>, depth: number): unknown {
    const type = typeof schema.type === "string" ? schema.type : this.#random.of(schema.type ?? []);
    switch (type) {
      case "object":
        return this.#object(schema, defs, depth);
      case "array":
        return Array.from({ length: this.#random.below(depth > 3 ? 1 : 4) }, () =>
          this.value(schema.items ?? {}, field, defs, depth + 1),
        );
      case "integer":
      case "number":
        return this.#number(schema);
      case "boolean":
        return this.#random.chance(50);
      case "null":
        return null;
      case "string":
        return this.#random.of(words);
      default:
        return depth > 3 ? null : this.#random.of([1, "free", null, { a: [true] }, []]);
    }
  }
  #object(schema: Schema, defs: Readonly<Record<string, Schema>>, depth: number): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const isNeeded = schema.required?.includes(name) === true;
      if (isNeeded || this.#random.chance(depth > 2 ? 10 : (often[name] ?? usual)))
        made[name] = this.value(inner, name, defs, depth + 1);
    }
    if (schema.properties === undefined && this.#random.chance(50)) made["key"] = this.#random.of(words);
    return made;
  }
  #number({ minimum = 0, maximum = 1_000 }: Schema): number {
    const low = Math.max(minimum, -1_000);
    return low + this.#random.below(Math.min(maximum, 1_000) - low + 1);
  }
}
