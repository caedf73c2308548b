/** Removes the unread count that the chat puts before a title: `(2) Company`. */
export const withoutCount = (title: string) => title.replace(/^\(\d+\) /, '')

export const withCount = (count: number, title: string) => (count > 0 ? `(${count}) ${withoutCount(title)}` : withoutCount(title))
