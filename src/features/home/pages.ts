import { index } from '@react-router/dev/routes'

export const homePages = {
  public: [index('features/home/web/home-page.tsx')],
}
