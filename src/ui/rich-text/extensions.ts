import type { Extensions } from '@tiptap/core'
import { StarterKit } from '@tiptap/starter-kit'
import { isAllowedLink } from './links.ts'

/** The elements on the allow-list of docs/api.md#rich-text. */
export const extensions: Extensions = [
  StarterKit.configure({
    heading: { levels: [3, 4] },
    code: false,
    codeBlock: false,
    horizontalRule: false,
    trailingNode: false,
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      protocols: ['mailto', 'tel'],
      isAllowedUri: isAllowedLink,
      // The server adds `target` and `rel` to external links.
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
]
