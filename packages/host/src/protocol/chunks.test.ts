/** Proves that `chunks.ts` is the vocabulary of the installed `ai`: types when `tsc` runs, names when the test does. */
import type * as ai from "ai";
import { asSchema, uiMessageChunkSchema } from "ai";
import { describe, expect, test } from "vitest";
import {
  type Citation,
  chunkTypes,
  type DataUIPart,
  type DynamicToolUIPart,
  type FinishReason,
  type FixedChunkType,
  isChunkType,
  type JSONValue,
  type ProviderMetadata,
  type ProviderReference,
  type ToolState,
  type ToolUIPart,
  type UIMessage,
  type UIMessageChunk,
  type UIMessagePart,
} from "./chunks.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
function holds<_Claim extends true>(): void {}

type AiPart = ai.UIMessagePart<ai.UIDataTypes, ai.UITools>;
type AiTool = ai.ToolUIPart | ai.DynamicToolUIPart;

// Assignability alone would not notice a forgotten optional property. The names of all keys, spelled out as one union
// of strings, do; mapped types would not: tsc compares those by their arguments, which are assignable both ways.
type KeyNames<T> = T extends { type: infer Type extends string } ? `${Type} has ${keyof T & string}` : never;
type StateKeyNames<T> = T extends { state: infer State extends string } ? `${State} has ${keyof T & string}` : never;
type ApprovalKeyNames<T> = T extends { state: infer State extends string; approval?: infer Approval }
  ? `${State} has ${NamesOf<Approval>}`
  : never;
type SourceKeyNames<T> = T extends { sourceType: infer Kind extends string }
  ? `${Kind} has ${keyof T & string}`
  : never;
type NamesOf<T> = T extends object ? keyof T & string : never;

describe("our types are those of ai", () => {
  test("assignable both ways", () => {
    holds<Same<UIMessageChunk, ai.UIMessageChunk>>();
    holds<Same<UIMessage, ai.UIMessage>>();
    holds<Same<UIMessagePart, AiPart>>();
    holds<Same<ToolUIPart, ai.ToolUIPart>>();
    holds<Same<DynamicToolUIPart, ai.DynamicToolUIPart>>();
    holds<Same<DataUIPart, ai.DataUIPart<ai.UIDataTypes>>>();
    holds<Same<ToolState, AiTool["state"]>>();
    holds<Same<ProviderMetadata, ai.ProviderMetadata>>();
    holds<Same<ProviderReference, ai.ProviderReference>>();
    holds<Same<FinishReason, ai.FinishReason>>();
    holds<Same<Citation, ai.Citation>>();
    holds<Same<JSONValue, ai.JSONValue>>();
  });

  test("with the same keys", () => {
    holds<Same<keyof UIMessage, keyof ai.UIMessage>>();
    holds<Same<KeyNames<UIMessageChunk>, KeyNames<ai.UIMessageChunk>>>();
    holds<Same<KeyNames<UIMessagePart>, KeyNames<AiPart>>>();
    holds<Same<StateKeyNames<ToolUIPart>, StateKeyNames<ai.ToolUIPart>>>();
    holds<Same<StateKeyNames<DynamicToolUIPart>, StateKeyNames<ai.DynamicToolUIPart>>>();
    holds<Same<ApprovalKeyNames<ToolUIPart>, ApprovalKeyNames<ai.ToolUIPart>>>();
    holds<Same<ApprovalKeyNames<DynamicToolUIPart>, ApprovalKeyNames<ai.DynamicToolUIPart>>>();
    holds<Same<SourceKeyNames<Citation["source"]>, SourceKeyNames<ai.Citation["source"]>>>();
    holds<Same<keyof Citation, keyof ai.Citation>>();
  });

  test("with the same chunk types", () => {
    holds<Same<FixedChunkType | `data-${string}`, ai.UIMessageChunk["type"]>>();
    holds<Same<UIMessageChunk["type"], ai.UIMessageChunk["type"]>>();
  });
});

type UnionIssue = { errors: { path: unknown[]; values?: string[] }[][] };

/** A chunk of no known type is refused with one error per variant of the schema, which names the variant's type. */
async function namesInSchemaOfAi(): Promise<{ variants: number; names: string[] }> {
  const result = await asSchema(uiMessageChunkSchema).validate?.({ type: "no such type" });
  if (result === undefined || result.success) throw new Error("ai accepted an unknown chunk type");
  const { issues } = result.error as unknown as { issues: UnionIssue[] };
  const variants = issues.flatMap((issue) => issue.errors);
  const names = variants.flatMap((errors) => errors.filter((e) => e.path[0] === "type").flatMap((e) => e.values ?? []));
  return { variants: variants.length, names };
}

describe("chunk type names", () => {
  test("are exactly those of ai's schema, whose only open variant is data", async () => {
    const { variants, names } = await namesInSchemaOfAi();
    expect(names.toSorted()).toEqual([...chunkTypes].toSorted());
    expect(variants).toBe(chunkTypes.length + 1);
  });

  test("are recognised, data included", () => {
    expect(chunkTypes.every(isChunkType)).toBe(true);
    expect(isChunkType("data-weather")).toBe(true);
    expect(["", "data", "constructor", "__proto__", "text"].some(isChunkType)).toBe(false);
  });
});
