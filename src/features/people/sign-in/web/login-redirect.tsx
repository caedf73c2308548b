import { useEffect } from 'react'
import { redirect, useLocation, useNavigate } from 'react-router'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { Loading } from '#src/ui/components/loading.tsx'

export function loader() {
  return redirect('/admin/login')
}

export function clientLoader() {
  return null
}

export const shouldRevalidate = revalidateOn()

/** `/login` redirects to the sign-in page of the administration and keeps the `from` of the navigation state. */
export default function LoginRedirect() {
  const { state } = useLocation() as { state: unknown }
  const navigate = useNavigate()
  useEffect(() => {
    void navigate('/admin/login', { replace: true, state })
  }, [navigate, state])
  return <Loading />
}
