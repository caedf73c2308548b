import { Navigate, redirect, useLocation } from 'react-router'

export function loader() {
  return redirect('/admin/login')
}

export function clientLoader() {
  return null
}

/** Keeps the `from` that the protected area put in the navigation state (spec.md 2.2). */
export default function LoginRedirect() {
  const { state } = useLocation() as { state: unknown }
  return <Navigate to="/admin/login" replace state={state} />
}
