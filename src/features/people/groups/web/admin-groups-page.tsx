import { useFeatures } from '#src/features/content/web/admin-context.ts'
import { EntryList } from '#src/features/content/web/entry-list.tsx'
import { areaLabel, areasOf } from '#src/lib/feature.ts'
import { completeRights } from '#src/lib/rights.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { Group } from '../../contract.ts'
import { groupTexts } from '../texts.ts'
import type { Route } from './+types/admin-groups-page.ts'

export async function clientLoader() {
  return { groups: await getJson<Group[]>('/api/groups/groups') }
}

export default function AdminGroupsPage({ loaderData }: Route.ComponentProps) {
  const t = useTexts(groupTexts)
  const features = useFeatures()
  const language = useLanguage()
  return (
    <EntryList
      area="groups"
      title={t('title')}
      backTo="/admin/panel"
      createPath="/admin/group_nouveau"
      editPath={(group) => `/admin/group_edit/${group.id_group}`}
      rows={loaderData.groups}
      rowKey={(group) => group.id_group}
      rowName={(group) => group.name}
      remove={(group) => callApi('DELETE', `/api/groups/groups/${group.id_group}`)}
      exported={[
        { header: t('name'), value: (group) => group.name },
        { header: t('state'), value: (group) => t(group.enabled ? 'enabled' : 'disabled') },
        { header: t('totpRequired'), value: (group) => t(group.requires_totp ? 'yes' : 'no') },
        { header: t('people'), value: (group) => group.user_count },
        ...areasOf(features).map((area) => ({
          header: areaLabel(features, area)[language],
          value: (group: Group) => t(completeRights([area], group.rights)[area] ?? 'none'),
        })),
      ]}
      columns={[
        { header: t('name'), cell: (group) => group.name, text: (group) => group.name, isRowHeader: true },
        {
          header: t('state'),
          cell: (group) => (
            <span className="flex flex-wrap gap-2">
              <Badge tone={group.enabled ? 'ok' : 'neutral'}>{t(group.enabled ? 'enabled' : 'disabled')}</Badge>
              {group.requires_totp && <Badge tone="neutral">{t('totpRequired')}</Badge>}
            </span>
          ),
        },
        { header: t('people'), cell: (group) => t('peopleCount', { count: group.user_count }) },
      ]}
      emptyTitle={t('empty')}
      emptyHint={t('emptyHint')}
    />
  )
}
