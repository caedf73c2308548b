import type { ComponentProps } from 'react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Outlet, Route, Routes } from 'react-router'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Language } from '#src/lib/language/language.ts'
import type { Button } from '#src/ui/components/button.tsx'
import type { StaffChat } from '../protocol.ts'
import { emptyConsole } from './console-state.ts'
import type { StaffSession } from './staff-session.ts'

type ButtonProps = ComponentProps<typeof Button>
const buttons = new Map<string, ButtonProps>()
const mocked = ['#src/ui/components/button.tsx', '#src/ui/api.ts', './times.ts'] as const

/** Test files share their modules: this one has its own, and leaves none of them behind. */
async function loadOwn() {
  vi.resetModules()
  vi.doMock('#src/ui/components/button.tsx', async (original) => ({
    ...(await original<object>()),
    Button(props: ButtonProps) {
      if (typeof props.children === 'string') buttons.set(props.children, props)
      return createElement('button', null, props.children)
    },
  }))
  vi.doMock('#src/ui/api.ts', { spy: true })
  vi.doMock('./times.ts', async (original) => ({ ...(await original<object>()), useElapsed: vi.fn() }))
  const [{ ConsoleComposer }, { LanguageProvider }, { callApi }, { useElapsed }] = await Promise.all([
    import('./composer.tsx'),
    import('#src/ui/language.tsx'),
    import('#src/ui/api.ts'),
    import('./times.ts'),
  ])
  return { ConsoleComposer, LanguageProvider, callApi, useElapsed: vi.mocked(useElapsed) }
}

let own: Awaited<ReturnType<typeof loadOwn>>
beforeAll(async () => {
  own = await loadOwn()
})
afterAll(() => {
  for (const path of mocked) vi.doUnmock(path)
  vi.resetModules()
})

const sendAnswer = vi.fn<StaffSession['sendAnswer']>()
beforeEach(() => {
  buttons.clear()
  vi.clearAllMocks()
})

/** The answer « Redémarrez le modem. » in a conversation of one's own whose visitor has left. */
function render(language: Language, hasBeenGone: boolean) {
  const { ConsoleComposer, LanguageProvider, useElapsed } = own
  useElapsed.mockReturnValue(hasBeenGone)
  const chat = {
    id: 3,
    client_name: 'Annie Roy',
    client_email: 'annie@example.com',
    language: 'fr',
    visitor: 'gone',
  } as StaffChat
  const subscribe = () => () => undefined
  const session = {
    drafts: { subscribe, read: (_id: number, kind: string) => (kind === 'answer' ? 'Redémarrez le modem.' : '') },
    files: { subscribe, read: () => [] },
    sendAnswer,
  } as unknown as StaffSession
  const canned = { replies: [], week: [], unsuggested: [], refresh: () => undefined, stopSuggesting: () => undefined }
  const given = { chat, session, canned, state: emptyConsole, place: 'own', mayTakeOver: false, asked: '' } as const
  return renderToStaticMarkup(
    <MemoryRouter>
      <LanguageProvider value={language}>
        <Routes>
          <Route element={<Outlet context={{ display_name: 'Mireille Gagnon' }} />}>
            <Route index element={<ConsoleComposer {...given} />} />
          </Route>
        </Routes>
      </LanguageProvider>
    </MemoryRouter>,
  )
}

test.each([
  ['fr', 'Envoyer par courriel', 'Laisser dans la conversation'],
  ['en', 'Send by email', 'Leave in the conversation'],
] as const)('an answer to a visitor who left goes by mail, or is left in the conversation (%s)', (language, byMail, inChat) => {
  const html = render(language, true)
  expect(html).toContain(`>${byMail}</span>`)
  const leave = buttons.get(inChat)
  if (!leave?.onClick) throw new Error(`there is no button « ${inChat} »`)
  leave.onClick({} as Parameters<NonNullable<ButtonProps['onClick']>>[0])
  expect(sendAnswer).toHaveBeenCalledExactlyOnceWith(3, 'Redémarrez le modem.')
  expect(own.callApi).not.toHaveBeenCalled()
})

test('while the visitor may only be opening another page, the answer stays in the conversation and mail is a choice', () => {
  const html = render('fr', false)
  expect(html).toContain('>Envoyer</span>')
  expect(buttons.has('Envoyer par courriel')).toBe(true)
  expect(buttons.has('Laisser dans la conversation')).toBe(false)
})
