import { route } from '@react-router/dev/routes'

const reply = 'features/chat/console/admin-reply-edit-page.tsx'

export const chatPages = {
  bare: [route('webchat/html/chat.html', 'features/chat/widget/chat-frame-page.tsx')],
  admin: [
    route('chat', 'features/chat/console/admin-chat-page.tsx'),
    route('chat/replies', 'features/chat/console/admin-replies-page.tsx'),
    route('chat/replies/new', reply, { id: 'canned-reply-new' }),
    route('chat/replies/:id_canned', reply, { id: 'canned-reply' }),
    route('chat/blocks', 'features/chat/console/admin-blocks-page.tsx'),
    route('chat/figures', 'features/chat/reports/admin-chat-reports-page.tsx'),
    route('chat/settings', 'features/chat/settings/admin-chat-settings-page.tsx'),
  ],
}
