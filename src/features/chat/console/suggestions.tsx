import { defineTexts } from '#src/lib/language/texts.ts'
import { searchable } from '#src/lib/lists.ts'
import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import { CloseIcon } from '#src/ui/components/icons.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { CannedReply } from '../contract.ts'
import { textFor } from './canned-replies.tsx'

const suggestionTexts = defineTexts({
  fr: {
    title: 'Suggéré',
    label: 'Réponses suggérées',
    hide: 'Masquer les suggestions dans cette conversation',
  },
  en: {
    title: 'Suggested',
    label: 'Suggested responses',
    hide: 'Hide suggestions in this conversation',
  },
})

const mostSuggested = 2

/** Words that a reply and a question share without being about the same thing. */
const commonWords = new Set(
  [
    'aide aider avec avez avons bien bonjour bonsoir cela cette comme comment dans depuis donc elle encore entre est etes etre fait faire',
    'faut fois leur mais meme merci moins notre nous parce pas peut plus pour pouvez puis quand quel quelle quoi sans sera ses sont',
    'sous sur tout toute toutes tous tres une vers veuillez vos votre vous',
    'about after again also and any are been but can could does for from good have hello help here how into just like more need not',
    'now our please should some than thank thanks that the their them then there they this too very want was what when where',
    'which will with would you your',
  ]
    .join(' ')
    .split(' '),
)
const shortestWord = 3
/** Cut here, so that « imprimante » and « imprimer » are one word. */
const stemLength = 6

function stemsOf(text: string) {
  const words = searchable(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(
    words.filter((word) => word.length >= shortestWord && !commonWords.has(word)).map((word) => word.slice(0, stemLength)),
  )
}

/**
 * The saved replies about what is being written, or about what the visitor wrote last: those that share words with it,
 * first the words that few replies have. A reply that stands in the draft is not suggested again.
 */
export function suggestReplies(replies: readonly CannedReply[], { draft, asked }: { draft: string; asked: string }) {
  const written = stemsOf(draft)
  const wanted = new Set([...written, ...stemsOf(asked)])
  if (wanted.size === 0) return []
  const stems = replies.map((reply) => stemsOf(`${reply.shortcut} ${reply.reply} ${reply.reply_en}`))
  const worth = (stem: string) => Math.log(1 + replies.length / stems.filter((one) => one.has(stem)).length)
  return replies
    .map((reply, index) => {
      const shared = [...(stems[index] ?? [])].filter((stem) => wanted.has(stem))
      const score = shared.reduce((sum, stem) => sum + worth(stem) * (written.has(stem) ? 2 : 1), 0)
      return { reply, score }
    })
    .filter(({ reply, score }) => score > 0 && !isIn(draft, reply))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostSuggested)
    .map(({ reply }) => reply)
}

/** Its beginning is enough: the variables in it are filled by then. */
function isIn(draft: string, { reply, reply_en: english }: CannedReply) {
  const begins = (text: string) => text.split(/[{\n]/)[0]?.trim() ?? ''
  return [reply, english].some((text) => begins(text).length > stemLength && draft.includes(begins(text)))
}

type SuggestionsProps = { replies: CannedReply[]; visitor: Language; onPick: (reply: CannedReply) => void; onHide: () => void }

/** Two replies at most; a press puts one into the field, and none leaves by itself. */
export function Suggestions({ replies, visitor, onPick, onHide }: SuggestionsProps) {
  const t = useTexts(suggestionTexts)
  const language = useLanguage()
  if (replies.length === 0) return null
  return (
    <div className="console-suggestions" role="group" aria-label={t('label')}>
      <span className="text-ink-2 max-sm:sr-only">{t('title')}</span>
      <ul>
        {replies.map((reply, index) => {
          const { text, language: written } = textFor(visitor, reply)
          return (
            <li key={reply.id_canned}>
              <button
                type="button"
                className="console-suggestion"
                data-action={`suggestion${index + 1}`}
                aria-keyshortcuts={`Alt+${index + 1}`}
                // The field keeps the focus, and the keyboard of a phone stays open.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onPick(reply)}
              >
                <strong className="whitespace-nowrap">{`/${reply.shortcut}`}</strong>
                <span className="console-excerpt text-ink-2" lang={written === language ? undefined : locales[written]}>
                  {text}
                </span>
                <kbd className="console-key">{`Alt+${index + 1}`}</kbd>
              </button>
            </li>
          )
        })}
      </ul>
      <IconButton label={t('hide')} icon={<CloseIcon size={16} />} onClick={onHide} />
    </div>
  )
}
