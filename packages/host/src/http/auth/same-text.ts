/** Compares secrets in a time that tells nothing of where they differ, or of how long they are. */
import { createHash, timingSafeEqual } from "node:crypto";

export const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
