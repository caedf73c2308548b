import { useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { defineTexts } from '#src/lib/language/texts.ts'
import { readDevice } from '#src/lib/text/user-agent.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { Button } from '#src/ui/components/button.tsx'
import { StatusCard } from '#src/ui/components/status-card.tsx'
import { Moment } from '#src/ui/components/moment.tsx'
import { Table } from '#src/ui/components/table.tsx'
import { failureOf, failureTexts } from '#src/ui/forms/failures.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { useRights } from '#src/features/content/web/admin-context.ts'
import type { PushState } from '../contract.ts'
import { alertTexts, isNotificationDenied } from './alerts.ts'
import { useStaffChat } from './staff-chat.tsx'

export const pushTexts = defineTexts({
  fr: {
    title: 'Appareils avisés',
    intro:
      'Quand un visiteur attend et que tous vos écrans sont fermés, ces appareils vous avisent. Vous restez disponible jusqu’à la fermeture.',
    add: 'Aviser cet appareil',
    insecure: 'Les appareils ne peuvent être avisés qu’à une adresse https. Communiquez avec l’administrateur du serveur.',
    unsupported:
      'Ce navigateur ne peut pas vous aviser une fois fermé. Sur un iPhone ou un iPad, ajoutez d’abord l’administration à l’écran d’accueil.',
    failed: 'Cet appareil n’a pas été ajouté. Vérifiez sa connexion à Internet, puis réessayez.',
    none: 'Aucun appareil pour le moment',
    device: 'Appareil',
    unknown: 'Appareil inconnu',
    onSystem: '{browser} sur {system}',
    added: 'Ajouté le',
    answered: 'Dernière réponse',
    thisOne: 'Cet appareil',
    silent: 'Plus avisé : ouvrez l’administration sur cet appareil.',
    remove: 'Retirer l’appareil',
  },
  en: {
    title: 'Notified devices',
    intro:
      'When a visitor is waiting and all your screens are closed, these devices notify you. You stay available until closing time.',
    add: 'Notify this device',
    insecure: 'Devices can only be notified at an https address. Contact the server administrator.',
    unsupported:
      'This browser cannot notify you once it is closed. On an iPhone or iPad, first add the administration to the home screen.',
    failed: 'This device was not added. Check its internet connection, then try again.',
    none: 'No devices yet',
    device: 'Device',
    unknown: 'Unknown device',
    onSystem: '{browser} on {system}',
    added: 'Added',
    answered: 'Last response',
    thisOne: 'This device',
    silent: 'No longer notified: open the administration on this device.',
    remove: 'Remove device',
  },
})

const path = '/api/chat/push'
const workerPath = '/admin/service-worker.js'
const scope = '/admin/'
const answeredMs = 7 * 86_400_000

type Policy = { createScriptURL: (url: string) => unknown }
type TrustedTypes = { createPolicy: (name: string, rules: { createScriptURL: () => string }) => Policy }
const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
/** A Trusted Types policy for the address of the service worker alone. */
const policy = trustedTypes?.createPolicy('guichet-worker', { createScriptURL: () => workerPath })

const canPush = () => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

let registering: Promise<ServiceWorkerRegistration> | undefined

/** Registers the service worker of the administration; null where the browser has none. */
function registerWorker() {
  if (!('serviceWorker' in navigator)) return Promise.resolve(null)
  registering ??= navigator.serviceWorker.register((policy?.createScriptURL(workerPath) ?? workerPath) as string, { scope })
  registering.catch(() => {
    registering = undefined
  })
  return registering
}

async function findSubscription() {
  if (!canPush()) return null
  return (await (await registerWorker())?.pushManager.getSubscription()) ?? null
}

function saveDevice(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON()
  return callApi<PushState>('POST', path, { endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } })
}

/** Asks for the permission and adds this device; null where it is refused. */
async function addDevice(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') return null
  await registerWorker()
  const registration = await navigator.serviceWorker.ready
  // A subscription with the key of another installation would be refused.
  await (await registration.pushManager.getSubscription())?.unsubscribe()
  const key = Uint8Array.from(atob(publicKey.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.codePointAt(0) ?? 0)
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  return saveDevice(subscription)
}

/** Renews the subscription in the language of the page; drops it where the device was removed elsewhere. */
async function refreshDevice() {
  const subscription = await findSubscription()
  if (!subscription) return
  const { devices } = await getJson<PushState>(path)
  if (devices.some(({ endpoint }) => endpoint === subscription.endpoint)) await saveDevice(subscription)
  else await subscription.unsubscribe()
}

/** On each page of the administration: its manifest, its service worker, and the conversation that a notification opens. */
export function PushListener({ rights }: { rights: Rights }) {
  const language = useLanguage()
  const navigate = useNavigate()
  const openInConsole = useStaffChat()?.openInConsole
  const canAnswer = hasRight(rights, 'chat', 'read_write')

  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')
    const site = link?.getAttribute('href')
    if (!link || !site) return
    link.href = `/admin/manifest.${language}.webmanifest`
    return () => link.setAttribute('href', site)
  }, [language])

  useEffect(() => {
    const prepare = canAnswer ? refreshDevice : registerWorker
    prepare().catch((error: unknown) => console.warn(error))
  }, [canAnswer, language])

  useEffect(() => {
    const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : null
    const open = ({ data, ports }: MessageEvent<{ chat?: number } | null>) => {
      if (!data?.chat) return
      ports[0]?.postMessage('opened')
      if (openInConsole?.current) openInConsole.current(data.chat)
      else void navigate(`/admin/chat?chat=${data.chat}`)
    }
    workers?.addEventListener('message', open)
    return () => workers?.removeEventListener('message', open)
  }, [navigate, openInConsole])
  return null
}

/** In one's profile: the devices that are called, and whether this one is. */
export function PushDevices() {
  const canAnswer = hasRight(useRights(), 'chat', 'read_write')
  return canAnswer ? <DeviceList /> : null
}

function DeviceList() {
  const t = useTexts(pushTexts)
  const a = useTexts(alertTexts)
  const f = useTexts(failureTexts)
  const language = useLanguage()
  const [state, setState] = useState<PushState | null>(null)
  const [own, setOwn] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState<string | null>(null)

  const load = useCallback(async () => {
    const [found, subscription] = await Promise.all([getJson<PushState>(path), findSubscription().catch(() => null)])
    setState(found)
    setOwn(subscription?.endpoint ?? null)
  }, [])
  useEffect(() => {
    load().catch((error: unknown) => {
      console.warn(error)
      setFailure(f(failureOf(error)))
    })
  }, [load, f])

  const run = async (name: string, work: () => Promise<string | null>) => {
    setFailure(null)
    setBusy(name)
    try {
      setFailure(await work())
      await load()
    } catch (error) {
      console.warn(error)
      setFailure(name === path ? t('failed') : f(failureOf(error)))
    } finally {
      setBusy(null)
    }
  }
  const add = () => run(path, async () => ((await addDevice(state?.public_key ?? '')) ? null : a('denied')))
  const remove = (endpoint: string) =>
    run(endpoint, async () => {
      await callApi('DELETE', path, { endpoint })
      if (endpoint === own) await (await findSubscription())?.unsubscribe()
      return null
    })
  const nameOf = (userAgent: string) => {
    const device = readDevice(userAgent)
    if (!device) return t('unknown')
    return device.system ? t('onSystem', { browser: device.browser, system: device.system }) : device.browser
  }
  const devices = state?.devices ?? []
  const isOwnAdded = devices.some(({ endpoint }) => endpoint === own)
  const refusal = !globalThis.isSecureContext
    ? t('insecure')
    : !canPush()
      ? t('unsupported')
      : isNotificationDenied()
        ? a('denied')
        : null

  return (
    <section aria-labelledby="push-devices" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="push-devices" className="text-xl">
          {t('title')}
        </h2>
        {state && !refusal && !isOwnAdded && (
          <Button
            variant="secondary"
            size="small"
            busy={busy === path}
            disabled={busy !== null && busy !== path}
            onClick={() => void add()}
          >
            {t('add')}
          </Button>
        )}
      </div>
      <p className="text-ink-2">{t('intro')}</p>
      {refusal && <p className="rounded-card bg-warn-soft px-5 py-3">{refusal}</p>}
      <StatusCard status={failure ? 'error' : null}>{failure}</StatusCard>
      {state && devices.length === 0 && <p className="text-ink-2">{t('none')}</p>}
      {devices.length > 0 && (
        <Table
          caption={t('title')}
          rows={devices}
          rowKey={(device) => device.id_device}
          columns={[
            { header: t('device'), cell: (device) => nameOf(device.user_agent), isRowHeader: true },
            { header: t('added'), cell: (device) => <Moment at={device.created_at} /> },
            {
              header: t('answered'),
              cell: (device) =>
                device.endpoint === own ? (
                  <Badge tone="ok">{t('thisOne')}</Badge>
                ) : (
                  <>
                    <Moment at={device.answered_at} />
                    {Date.now() - Date.parse(device.answered_at) > answeredMs && (
                      <span className="block text-sm text-warn">{t('silent')}</span>
                    )}
                  </>
                ),
            },
          ]}
          actions={{
            header: t('remove'),
            cell: (device) => (
              <Button
                variant="danger"
                size="small"
                className="whitespace-nowrap"
                busy={busy === device.endpoint}
                disabled={busy !== null && busy !== device.endpoint}
                aria-label={`${t('remove')}, ${nameOf(device.user_agent)}, ${formatDateTime(device.created_at, language)}`}
                onClick={() => void remove(device.endpoint)}
              >
                {t('remove')}
              </Button>
            ),
          }}
        />
      )}
    </section>
  )
}
