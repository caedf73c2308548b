import { useNavigate } from 'react-router'

/** One history step back; who came straight to the page, and has no step of ours behind, goes to a given page. */
export function useBack(fallback: string) {
  const navigate = useNavigate()
  return () => {
    const state = window.history.state as { idx?: unknown } | null
    if (typeof state?.idx === 'number' && state.idx > 0) void navigate(-1)
    else void navigate(fallback, { replace: true })
  }
}
