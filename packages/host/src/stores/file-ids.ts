/** What in a stored text may be the id of a file: rather too much than too little. */
import type { FileId } from "../protocol/ids.ts";

const idForm = /fil_[\w-]+/g;
export const fileIdsIn = (text: string): FileId[] => [...new Set(text.match(idForm) ?? [])];
