import { route } from '@react-router/dev/routes'

export const articlesPages = {
  public: [
    route('aide', 'features/articles/web/help-page.tsx'),
    route('aide/:slug', 'features/articles/web/article-page.tsx'),
    route('recherche', 'features/articles/web/search-page.tsx'),
  ],
  admin: [
    route('articles', 'features/articles/web/admin-articles-page.tsx'),
    route('articles/search', 'features/articles/web/admin-search-page.tsx'),
    route('articles/new', 'features/articles/web/admin-article-page.tsx', { id: 'new-article' }),
    route('articles/:id_article', 'features/articles/web/admin-article-page.tsx'),
  ],
}
