import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { company } from '#company/company.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import { HomeAlarm, HomeInformationPanel } from './home-notices.tsx'
import { HomeBoard } from './home-sections.tsx'
import { HomeServices } from './home-page.tsx'

function render(element: React.ReactNode, language: 'fr' | 'en' = 'fr') {
  return renderToStaticMarkup(
    <MemoryRouter>
      <LanguageProvider value={language}>{element}</LanguageProvider>
    </MemoryRouter>,
  )
}

test('the red banner shows its title and message, and links to the network page', () => {
  const html = render(<HomeAlarm title="Fibre coupée" message="<p>Panne</p>" />)
  expect(html).toMatch(/Fibre coupée<\/p>[\s\S]*<p>Panne<\/p>/)
  expect(html).toContain('href="/reseau"')
})

test('the information panel collapses', () => {
  const html = render(<HomeInformationPanel information={{ title: 'Horaire', description: '<p>Fermé lundi</p>' }} />)
  expect(html).toMatch(/<details open=""[\s\S]*<summary[\s\S]*Horaire[\s\S]*<\/summary>[\s\S]*<p>Fermé lundi<\/p>/)
})

test.each(['fr', 'en'] as const)('shows four collapsible notices with their contacts, and the claim (%s)', (language) => {
  const html = render(<HomeBoard network={null} usualMinutes={null} />, language)
  const { securityContact, recruiter } = company.people
  expect(html.match(/<details/g)).toHaveLength(4)
  expect(html).toContain(company.news.title[language])
  for (const { name, email } of [securityContact, recruiter]) {
    expect(html).toContain(name)
    expect(html).toContain(`mailto:${email}`)
  }
  expect(html).toContain(`mailto:${company.emails.opinion}`)
  expect(html).toContain('1300+')
})

test('the services are listed, each with a link to its page', () => {
  const html = render(<HomeServices />)
  for (const path of ['/cloud', '/service', '/programmation', '/infrastructure']) expect(html).toContain(`href="${path}"`)
})

test('beside the picture, the state of the networks, the usual answer time if there is one, and a customer’s words', () => {
  const html = render(<HomeBoard network={{ status: 'WARNING', strip: { fr: '', en: '' } }} usualMinutes={3} />).replaceAll(
    '\u00a0',
    ' ',
  )
  expect(html).toMatch(/href="\/reseau"[\s\S]*Réseau : dégradé/)
  expect(html).toContain('Réponse habituelle au clavardage : environ 3 min')
  expect(html).toMatch(/<blockquote[^>]*><p>« .+ »<\/p><\/blockquote><figcaption[^>]*>Annie Roy/)
  expect(render(<HomeBoard network={null} usualMinutes={null} />)).not.toMatch(/Réponse habituelle|\/reseau/)
})
