import { useEffect } from 'react'
import { redirect, useLocation, useNavigate } from 'react-router'
import { addressInLanguage, requestedLanguage } from '#src/lib/language/language.ts'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { Loading } from '#src/ui/components/loading.tsx'
import type { Route } from './+types/login-redirect.ts'

const signInAddress = (search: string) => addressInLanguage('/admin/login', requestedLanguage(search))

export function loader({ request }: Route.LoaderArgs) {
  return redirect(signInAddress(new URL(request.url).search))
}

export function clientLoader() {
  return null
}

export const shouldRevalidate = revalidateOn()

/**
 * `/login` redirects to the sign-in page of the administration and keeps the `from` of the navigation state and the
 * language of the address.
 */
export default function LoginRedirect() {
  const { search, state } = useLocation() as { search: string; state: unknown }
  const navigate = useNavigate()
  useEffect(() => {
    void navigate(signInAddress(search), { replace: true, state })
  }, [navigate, search, state])
  return <Loading />
}
