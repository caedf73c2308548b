import { useEffect, useState } from 'react'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router'
import { changeQuery } from '#src/lib/query.ts'

/** For list pages: sorting, filtering and paging change the address, not the rows. */
export function keepRows({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isSameList = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
  return isSameList ? false : defaultShouldRevalidate
}

/** What a list shows of its rows: kept in the address, so that going back or sharing it finds the same view. */
export function useListState() {
  const { pathname, key } = useLocation()
  const [query, setQuery] = useSearchParams()
  // Typed text stays here: an address that changes at each key would come back too late for the next one.
  const asked = query.get('q') ?? ''
  const [filter, setFilter] = useState(asked)
  const arrival = useNavigationType()
  useEffect(() => {
    // By a link or by the history; what was typed only ever replaces the address.
    if (arrival !== NavigationType.Replace) setFilter(asked)
  }, [arrival, asked, key])
  const sort = query.get('sort')
  const address = (changes: Record<string, string | null>) => changeQuery(query, changes)

  return {
    filter,
    changeFilter: (text: string) => {
      setFilter(text)
      setQuery(address({ q: text || null, page: null }), { replace: true, preventScrollReset: true })
    },
    sorting: {
      key: sort?.replace(/^-/, '') ?? null,
      descending: sort?.startsWith('-') ?? false,
      to: (key: string) => `${pathname}?${String(address({ sort: sort === key ? `-${key}` : key, page: null }))}`,
    },
    changeSort: (value: string) =>
      setQuery(address({ sort: value || null, page: null }), { replace: true, preventScrollReset: true }),
    page: Math.max(1, Number(query.get('page')) || 1),
    toPage: (page: number) => `${pathname}?${String(address({ page: page > 1 ? String(page) : null }))}`,
  }
}
