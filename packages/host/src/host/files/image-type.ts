/** The media type of an image by its first bytes: a provider refuses the whole request when the type that is said is wrong. */

type Signature = { readonly mediaType: string; readonly at: number; readonly bytes: string };

/** In hexadecimal. These four are what every provider with vision takes. */
const signatures: readonly Signature[] = [
  { mediaType: "image/png", at: 0, bytes: "89504e470d0a1a0a" },
  { mediaType: "image/jpeg", at: 0, bytes: "ffd8ff" },
  { mediaType: "image/gif", at: 0, bytes: "47494638" },
  { mediaType: "image/webp", at: 8, bytes: "57454250" },
];

/** Null for what no agent can be expected to see. */
export const imageTypeOf = (bytes: Buffer): string | null =>
  signatures.find(({ at, bytes: wanted }) => bytes.subarray(at, at + wanted.length / 2).toString("hex") === wanted)
    ?.mediaType ?? null;
