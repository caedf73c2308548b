import type { LoaderFunctionArgs } from 'react-router'
import { getJson } from '#src/ui/api.ts'
import type { PageText, TextName } from '../contract.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { readPreferences, readStoredPreferences } from '#src/ui/page/preferences.ts'

/** The loader of a page that shows one long text: from the files on the first load. */
export function findText(
  name: TextName,
  { request, context }: Pick<LoaderFunctionArgs, 'request' | 'context'>,
): Promise<PageText> {
  return context.get(pageContext).services.texts.find(name, readPreferences(request).language)
}

/** The same from the browser, by the REST API. */
export function fetchText(name: TextName, { request }: Pick<LoaderFunctionArgs, 'request'>) {
  return getJson<PageText>(`/api/site/texts/${name}?lang=${readStoredPreferences(request).language}`)
}
