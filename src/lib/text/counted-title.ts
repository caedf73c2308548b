/** `(2) Company` without the number that the chat puts before it. */
export const withoutCount = (title: string) => title.replace(/^\(\d+\) /, '')

export const withCount = (count: number, title: string) => (count > 0 ? `(${count}) ${withoutCount(title)}` : withoutCount(title))
