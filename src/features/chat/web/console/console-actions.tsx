import { useState } from 'react'
import { useProfile } from '#src/features/people/sign-in/web/use-profile.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { SelectField } from '#src/ui/field.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { ChatContext } from '../../console-contract.ts'
import { staffTexts } from '../../staff-texts.ts'
import { toolTexts } from '../../tool-texts.ts'
import type { StaffChat, StaffPresence } from '../../values.ts'
import { BlockDialog } from './block-dialog.tsx'
import type { ConsoleLine } from './console-line.ts'
import { RequestDialog } from './request-dialog.tsx'

type ConsoleActionsProps = {
  chat: StaffChat
  context: ChatContext | null
  users: StaffPresence[]
  line: ConsoleLine
  onDone: () => Promise<void>
  attempt: (work: Promise<unknown>) => void
}

/** Hand over, make a request of it, keep the visitor away, close. */
export function ConsoleActions({ chat, context, users, line, onDone, attempt }: ConsoleActionsProps) {
  const t = useTexts(staffTexts)
  const tool = useTexts(toolTexts)
  const { id_user: userId } = useProfile()
  const [asked, setAsked] = useState<'close' | 'request' | 'block' | null>(null)
  const others = users.filter((user) => user.id_user !== userId && user.can_answer)
  const isMine = chat.id_user === userId
  const isRequest = context?.requests.some((request) => request.is_from_chat)
  const handleDone = () => {
    setAsked(null)
    attempt(onDone())
  }
  return (
    <div className="grid gap-3">
      {isMine && chat.status === 'claimed' && (
        <Transfer others={others} onTransfer={(to) => attempt(line.transfer(chat.id, to))} />
      )}
      {context && !isRequest && (
        <Button variant="secondary" size="small" wide onClick={() => setAsked('request')}>
          {tool('convert')}
        </Button>
      )}
      {context && !context.is_blocked && (
        <Button variant="secondary" size="small" wide onClick={() => setAsked('block')}>
          {tool('block')}
        </Button>
      )}
      {chat.status !== 'closed' && (isMine || chat.status === 'waiting') && (
        <Button variant="danger" size="small" wide onClick={() => setAsked('close')}>
          {t('close')}
        </Button>
      )}
      <Dialog
        open={asked === 'close'}
        onClose={() => setAsked(null)}
        role="alertdialog"
        title={t('closeTitle', { name: chat.client_name })}
        actions={
          <>
            <Button variant="secondary" onClick={() => setAsked(null)}>
              {t('cancel')}
            </Button>
            <Button
              variant="danger"
              onClick={() => {
                setAsked(null)
                attempt(line.close(chat.id))
              }}
            >
              {t('close')}
            </Button>
          </>
        }
      >
        <p>{t('closeQuestion')}</p>
      </Dialog>
      {asked === 'request' && <RequestDialog chat={chat} onClose={() => setAsked(null)} onDone={handleDone} />}
      {asked === 'block' && context && (
        <BlockDialog chat={chat} hasAddress={context.has_address} onClose={() => setAsked(null)} onDone={handleDone} />
      )}
    </div>
  )
}

function Transfer({ others, onTransfer }: { others: StaffPresence[]; onTransfer: (userId: number) => void }) {
  const t = useTexts(staffTexts)
  const [chosen, setChosen] = useState('')
  if (others.length === 0) return <p className="text-sm text-ink-2">{t('nobodyElse')}</p>
  const to = others.find((user) => String(user.id_user) === chosen) ?? others[0]
  return (
    <div className="grid gap-3">
      <SelectField label={t('transfer')} value={chosen} onChange={(event) => setChosen(event.target.value)}>
        {others.map((user) => (
          <option key={user.id_user} value={user.id_user}>
            {t('personWithChats', { name: user.user_name, count: user.chats })}
          </option>
        ))}
      </SelectField>
      <Button variant="secondary" size="small" onClick={() => to && onTransfer(to.id_user)}>
        {t('transferDo')}
      </Button>
    </div>
  )
}
