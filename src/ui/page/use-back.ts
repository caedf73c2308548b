import { useNavigate } from 'react-router'

/** Goes one history step back; without an earlier entry of this site, to the fallback. */
export function useBack(fallback: string) {
  const navigate = useNavigate()
  return () => {
    const state = window.history.state as { idx?: unknown } | null
    if (typeof state?.idx === 'number' && state.idx > 0) void navigate(-1)
    else void navigate(fallback, { replace: true })
  }
}
