/** The session a part of the page is about, for whatever is drawn inside it. */
import { createContext, useContext } from "react";
import { emptyView, type SessionView } from "../session/view.ts";

export type Conversation = { readonly id: string; readonly view: SessionView };
export const ConversationContext = createContext<Conversation>({ id: "", view: emptyView });
export const useConversation = (): Conversation => useContext(ConversationContext);
