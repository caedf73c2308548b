import type { LoaderFunctionArgs } from 'react-router'
import { getJson } from '#src/ui/api.ts'
import type { PageText, TextName } from '../contract.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { readPreferences, readStoredPreferences } from '#src/ui/page/preferences.ts'

/** Server loader of a page with one long text. */
export function findText(
  name: TextName,
  { request, context }: Pick<LoaderFunctionArgs, 'request' | 'context'>,
): Promise<PageText> {
  return context.get(pageContext).services.texts.find(name, readPreferences(request).language)
}

/** Its client loader, which calls the REST API. */
export function fetchText(name: TextName, { request }: Pick<LoaderFunctionArgs, 'request'>) {
  return getJson<PageText>(`/api/site/texts/${name}?lang=${readStoredPreferences(request).language}`)
}
