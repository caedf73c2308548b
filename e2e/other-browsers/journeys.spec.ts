import { expect } from '../fixtures.ts'
import { administrator } from '../product.ts'
import { words } from '../visitor.ts'
import { browsers, test } from './fixtures.ts'
import type { Tab, Target } from './tab.ts'

const named = (role: string) => (name: string | RegExp, within?: Target) => ({ role, name, within })
const [article, button, dialog, link] = [named('article'), named('button'), { role: 'dialog' }, named('link')]
const [region, row, textbox] = [named('region'), named('row'), named('textbox')]
const [alert, heading, log, main] = [{ role: 'alert' }, { role: 'heading' }, { role: 'log' }, { role: 'main' }]
const question = { role: 'alertdialog' }

async function signIn(tab: Tab, password = administrator.password) {
  await tab.open('/admin/login')
  await tab.enter(textbox('Nom d’utilisateur'), administrator.username)
  await tab.enter(textbox('Mot de passe'), password)
  await tab.click(button('Login'))
}

async function openAdministration(tab: Tab) {
  await signIn(tab)
  await tab.expect(heading, 'Section administrative')
}

for (const { name, isInstalled, packages } of browsers) {
  test.describe(name, () => {
    test.use({ browserKind: name })
    test.skip(!isInstalled, `${name} is not installed (${packages})`)

    test('the site is read on a phone: home, network status, posting and help, in both languages', async ({ openTab }) => {
      const tab = await openTab('phone')
      await tab.open('/')
      await tab.hydrated()
      await tab.expect(heading, 'Une vraie personne répond')
      await tab.click(link(/^Réseau\s:/, { role: 'banner' }))
      await tab.expectPath('/reseau')
      await tab.expect({ role: 'slider' })
      await tab.click(link('Carrières', { role: 'contentinfo' }))
      await tab.click(link(/Technicienne ou technicien réseau/, main))
      await tab.expect(heading, 'Technicienne ou technicien réseau')
      await tab.click(link(/EN, English/))
      await tab.expect(heading, 'Network technician')
      await tab.open('/aide')
      await tab.hydrated()
      await tab.enter({ role: 'searchbox' }, 'no dial tone')
      // Answers come below the field while one types, and move the articles below them.
      await tab.click({ role: 'button', name: 'Search', within: { role: 'search', within: main } })
      await tab.expectPath('/recherche')
      await tab.click(link(/^My phone has no sound/, main))
      await tab.expect(heading, 'My phone has no sound')
      expect(await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    })

    test('a service call in English is corrected, sent and followed', async ({ openTab }) => {
      const tab = await openTab('desk')
      await tab.open('/appel-de-service?lang=en')
      await tab.hydrated()
      await tab.enter(textbox('Email'), 'zoe@')
      await tab.click(button('Send the request'))
      await tab.expect({ ...alert, within: main }, '6 fields need a correction')
      const isInView = () =>
        tab.evaluate(() => (document.querySelector('main [role="alert"]')?.getBoundingClientRect().top ?? -1) >= 0)
      await expect.poll(isInView).toBe(true)
      const values = {
        'First name': 'Zoé',
        'Last name': 'Lavallée',
        Email: 'zoe@client.example.com',
        Phone: '418 555-0100',
        Subject: 'No phone on the second floor',
        Description: 'Since this morning.',
      }
      for (const [label, value] of Object.entries(values)) await tab.enter(textbox(new RegExp(`^${label}`)), value)
      // The answers load above the button and move it.
      await tab.expect(main, 'The answer may be here')
      await tab.click(button('Send the request'))
      await tab.expect(main, /AS-20\d\d-\d{6}/)
      await tab.click(link('Follow my request'))
      await tab.expectPath(/^\/suivi\/[\w-]{22}$/)
      await tab.expect(heading, /AS-20\d\d-\d{6}/)
      await tab.expect(main, 'Since this morning.')
    })

    test('a visitor on a phone and a technician chat, and a reload keeps the conversation', async ({ openTab }) => {
      test.slow()
      const t = words.fr
      const visitor = `Annie ${test.info().testId}`
      const staff = await openTab('desk')
      await openAdministration(staff)
      await staff.open('/admin/chat')
      await staff.click(button('Me rendre disponible'))
      await staff.expect(button('Me rendre indisponible'))

      const tab = await openTab('phone')
      await tab.open('/about')
      await tab.hydrated()
      await tab.click(button(/./, { role: 'complementary', name: t.chat }))
      await tab.enter(textbox(/^Courriel/, dialog), 'annie@example.com')
      await tab.enter(textbox(/^Nom/, dialog), visitor)
      await tab.click(button(t.start, dialog))
      await tab.enter(textbox(t.write), 'Plus de téléphone au 2e étage.')
      await tab.click(button(t.send, dialog))

      await staff.click(button(new RegExp(visitor), { role: 'listitem' }))
      await staff.expect(log, 'Plus de téléphone au 2e étage.')
      await staff.click(button('Prendre en charge'))
      await staff.enter(textbox(/Répondre à/), 'Je regarde votre commutateur.')
      await staff.click(button('Envoyer'))
      await tab.expect(log, 'Je regarde votre commutateur.')

      await tab.reload()
      await tab.expect(log, /Plus de téléphone[\s\S]*Je regarde/)
      await tab.enter(textbox(t.write), 'Merci, tout sonne.')
      await tab.click(button(t.send, dialog))
      await staff.expect(log, 'Merci, tout sonne.')
      await staff.enter(textbox(/Répondre à/), 'Bonne journée.')
      await staff.click(button('Envoyer'))
      await tab.expect(log, 'Bonne journée.')
      await staff.click(button('Terminer'))
      await tab.expect(dialog, t.over)
      await staff.click(button('Me rendre indisponible'))
      await staff.expect(button('Me rendre disponible'))
    })

    test.describe('a wrong password', () => {
      // A sign-out may come while the live connection is still being opened.
      test.use({ expectedErrors: ['401', 'WebSocket is closed before the connection is established'] })

      test('is refused, the right one signs in, and one signs out', async ({ openTab }) => {
        const tab = await openTab('desk')
        await signIn(tab, 'Pas-Le-Bon-2026!')
        await tab.expect({ ...alert, within: main }, 'Erreur durant l’authentification')
        await openAdministration(tab)
        await tab.click(button(/^admin/))
        await tab.click(button('Se déconnecter'))
        await tab.expectPath('/admin/login')
        await tab.open('/admin/reseau')
        await tab.expectPath('/admin/login')
      })
    })

    test('a posting written in the administration is read on the site', async ({ openTab }) => {
      test.slow()
      const posting = `Analyste ${test.info().testId}`
      const staff = await openTab('desk')
      await openAdministration(staff)
      await staff.open('/admin/emploi_nouveau')
      await staff.enter(textbox('Titre'), posting)
      await staff.enter(textbox('Titre (Anglais)'), 'Analyst')
      await staff.enter(textbox('Description'), 'Vous aimez les câbles.')
      await staff.enter(textbox('Description (Anglais)'), 'You like cables.')
      await staff.click(button('Sauvegarder'))
      await staff.expectPath('/admin/emplois')

      const tab = await openTab('phone')
      await tab.open('/emploi')
      await tab.click(link(new RegExp(posting), main))
      await tab.expect(heading, posting)
      await tab.expect(article(''), 'Vous aimez les câbles.')
      await staff.click(button(`Effacer ${posting}`))
      await staff.click(button('Effacer', question))
      await staff.expectNone(row(new RegExp(posting)))
    })

    test('an outage published in the administration is seen on an open status page, and undone', async ({ openTab }) => {
      test.slow()
      const outage = `Coupures ${test.info().testId}`
      const tab = await openTab('phone')
      await tab.open('/reseau')
      await tab.hydrated()

      const staff = await openTab('desk')
      await openAdministration(staff)
      await staff.open('/admin/reseau/pannes/nouvelle')
      await staff.click(button(/^Mettre .* à Erreur$/))
      await staff.click(button('Appels qui coupent'))
      await staff.enter(textbox(/^Titre français/), outage)
      await staff.expect(region('Ce qui sera publié'), outage)
      await staff.click(button(/^Publier à/))
      await tab.expect(article(outage), 'Des appels coupent')
      await staff.click(button(/^Annuler tout/))
      await tab.expectNone(article(outage))
    })

    test.describe('an error', () => {
      test.use({ expectedErrors: ['of a script', 'of a promise', 'Content Security Policy', 'Content-Security-Policy'] })

      test('of a script, a promise or the content policy is noticed', async ({ openTab }) => {
        const tab = await openTab('desk')
        await tab.open('/about')
        await tab.evaluate(() => {
          setTimeout(() => {
            throw new Error('of a script')
          })
          void Promise.reject(new Error('of a promise'))
          document.body.append(Object.assign(document.createElement('style'), { textContent: 'p {}' }))
        })
        const seen = [/of a script/, /of a promise/, /Content.Security.Policy.*style|style.*Content.Security.Policy/]
        await expect.poll(() => seen.map((text) => tab.problems.some((one) => text.test(one)))).toEqual([true, true, true])
      })
    })
  })
}
