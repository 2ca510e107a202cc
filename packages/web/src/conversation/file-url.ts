/** Where the bytes of a file part are read: a stored file has an address of the API, everything else its own. */
const stored = "mooring:file/";

export const fileUrl = (url: string): string =>
  url.startsWith(stored) ? `/v1/files/${encodeURIComponent(url.slice(stored.length))}` : url;
