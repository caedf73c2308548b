// Apart from values.ts: every public page loads these.

/** Session storage key of the visitor's chat id. */
export const chatIdStorageKey = 'id_chat'
/** The same while nobody is connected or the server is unreachable; the conversation resumes afterwards. */
export const resumeStorageKey = 'chat_to_resume'
export { chatDraftKey as draftStorageKey } from '#src/ui/storage.ts'
/** The chat as a page for a frame on another site. */
export const chatFramePath = '/webchat/html/chat.html'
