/** Files a person drops, pastes or picks: stored on the host when they are sent, and named by their id in the input. */
import type { AttachmentAdapter } from "@assistant-ui/react";
import { api } from "../api/api.ts";

/** Bytes of one file; the host's own limit. */
const most = 20_971_520;

export const attachments: AttachmentAdapter = {
  accept: "*",
  async add({ file }) {
    if (file.size > most) throw new RangeError(`${file.name} is larger than 20 MB.`);
    const type = file.type.startsWith("image/") ? "image" : "file";
    return {
      id: crypto.randomUUID(),
      type,
      name: file.name,
      contentType: file.type,
      file,
      status: { type: "requires-action", reason: "composer-send" },
    };
  },
  async send(attachment) {
    const { file, name } = attachment;
    const stored = await api.putFile(file);
    const mimeType = stored.mediaType;
    return {
      ...attachment,
      status: { type: "complete" },
      content: [{ type: "file", mimeType, data: stored.url, filename: name }],
    };
  },
  async remove() {},
};
