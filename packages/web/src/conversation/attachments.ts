/** Files a person drops, pastes or picks: stored on the host when they are sent, and named by their id in the input. */
import type { AttachmentAdapter } from "@assistant-ui/react";
import { api } from "../api/api.ts";
import { sayFailure } from "../ui/notices.tsx";

/** Bytes of one file; the host's own limit. */
const most = 20_971_520;

export const attachments: AttachmentAdapter = {
  accept: "*",
  async add({ file }) {
    if (file.size > most) throw new RangeError(`${file.name} is larger than 20 MB.`);
    if (file.size === 0) throw new RangeError(`${file.name} is empty, or a directory.`);
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
    // assistant-ui puts the message back where it was written, and says nothing.
    const stored = await api.putFile(file).catch((cause: unknown) => {
      sayFailure(cause);
      throw cause;
    });
    const mimeType = stored.mediaType;
    return {
      ...attachment,
      status: { type: "complete" },
      content: [{ type: "file", mimeType, data: stored.url, filename: name }],
    };
  },
  async remove() {},
};
