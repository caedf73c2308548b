import type { Area, Level } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { ApiError } from '#src/ui/api.ts'
import { useProfile } from '#src/app/admin-shell/admin-layout.tsx'

/** For pages whose data is public but whose work is not: says so, as the server would. */
export function useRight(areas: readonly Area[], level: Level) {
  const { rights } = useProfile()
  if (!areas.some((area) => hasRight(rights, area, level))) throw new ApiError(403, {})
}
