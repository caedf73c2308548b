import { data } from 'react-router'
import { NotFoundView } from './not-found-view.tsx'

export function loader() {
  return data(null, { status: 404 })
}

export function clientLoader() {
  return null
}

export function meta() {
  return [{ title: '404' }, { name: 'robots', content: 'noindex' }]
}

export default function NotFoundPage() {
  return <NotFoundView />
}
