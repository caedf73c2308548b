import { Button } from '#src/ui/button.tsx'
import { TextArea, TextField } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { afterTexts } from '../../after-texts.ts'
import type { Wrong } from './use-left-message.ts'
import { useLeftMessage } from './use-left-message.ts'

const messageMax = 2_000

/** A message for when nobody answers, filled in with what is known: it becomes a request with a number. */
export function PanelMessage({ idChat, start }: { idChat: string | null; start: string }) {
  const t = useTexts(afterTexts)
  const { form, visitor, wrong, stage, reference, send } = useLeftMessage(idChat)

  // The number stays on one line.
  const [before, after] = t('received').split('{reference}')
  const error = (name: Wrong) => (wrong !== name ? null : t(name === 'email' ? 'emailWrong' : 'required'))
  return (
    <div>
      <div role="status">
        {reference && (
          <p className="rounded-field bg-ok-soft px-4 py-3 font-bold text-ok">
            {before}
            <span className="whitespace-nowrap">{reference}</span>
            {after}
          </p>
        )}
      </div>
      {!reference && (
        <form
          ref={form}
          noValidate
          aria-label={t('formTitle')}
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (stage !== 'sending') void send()
          }}
        >
          <input type="hidden" name="honey" defaultValue="" />
          <TextField
            label={t('name')}
            name="name"
            autoComplete="name"
            maxLength={200}
            defaultValue={visitor?.name}
            error={error('name')}
          />
          <TextField
            label={t('email')}
            name="email"
            type="email"
            autoComplete="email"
            maxLength={254}
            defaultValue={visitor?.email}
            error={error('email')}
          />
          <TextField label={t('phone')} name="phone" type="tel" optional autoComplete="tel" maxLength={40} />
          <TextArea
            label={t('message')}
            name="message"
            maxLength={messageMax}
            defaultValue={start.slice(0, messageMax)}
            hint={t('messageHint')}
            error={error('message')}
          />
          {(stage === 'limited' || stage === 'failed') && (
            <p role="alert" className="rounded-field bg-err-soft px-4 py-3 font-bold text-err">
              {t(stage)}
            </p>
          )}
          <Button type="submit" wide busy={stage === 'sending'}>
            {t('send')}
          </Button>
        </form>
      )}
    </div>
  )
}
