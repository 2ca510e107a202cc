/** Says to a screen reader that the agent works, asks, has answered or failed: the growing text itself would be noise. */
import type { SessionView } from "../session/view.ts";
import { announcementOf } from "./announcement.ts";

export const Announcer = ({ view }: { readonly view: SessionView }) => (
  <p aria-live="polite" data-announcement className="sr-only">
    {announcementOf(view)}
  </p>
);
