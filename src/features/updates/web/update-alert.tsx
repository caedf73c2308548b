import type { ReactNode } from 'react'
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import type { Profile } from '#src/features/people/contract.ts'
import { storeProfile } from '#src/features/people/sign-in/web/session.ts'
import { ReloadNotice } from '#src/ui/live/reload-notice.tsx'
import { useLive } from '#src/ui/live/use-live.ts'
import { getJson } from '#src/ui/api.ts'
import type { UpdateAlert } from '../contract.ts'
import { UpdateBanner } from './update-banner.tsx'

type Known = { alert: UpdateAlert | null; setAlert: (alert: UpdateAlert | null) => void }

const AlertContext = createContext<Known>({ alert: null, setAlert: () => undefined })

/** The update alert of this moment, on any screen of the administration. */
export function useUpdateAlert() {
  return useContext(AlertContext)
}

/** As if this page were older than all changes: what was set between its load and the opening of the stream counts too. */
const fromTheStart = 1

type ProviderProps = { initial: UpdateAlert | null; children: ReactNode }

/** Around each screen of the administration: the alert, live, and the offer to reload after the update. */
export function UpdateAlertProvider({ initial, children }: ProviderProps) {
  const [alert, setAlert] = useState(initial)
  useEffect(() => setAlert(initial), [initial])
  const refresh = useCallback(async () => {
    try {
      const profile = await getJson<Profile>('/api/auth/me')
      storeProfile(profile)
      setAlert(profile.update_alert)
    } catch (error) {
      // The server restarts or the session ended: the next event retries, and the next API call handles a 401.
      console.warn(error)
    }
  }, [])
  const isOutdated = useLive((area) => {
    if (area === 'updates' || area === null) void refresh()
  }, fromTheStart)
  const known = useMemo(() => ({ alert, setAlert }), [alert])
  return (
    <AlertContext value={known}>
      {alert && <UpdateBanner alert={alert} />}
      {children}
      <ReloadNotice shown={isOutdated} />
    </AlertContext>
  )
}
