import { type MonitorFilters, sorts, statuses } from './queries.ts'

const text = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** The filters of the list as the address says them; what is not one of ours is left out. */
export function filtersOf({ search, status, tag, group, sort, page }: Record<string, unknown>): MonitorFilters {
  const known = statuses.find(one => one === status)
  const sorted = sorts.find(one => one === sort)
  const [searched, tagged, grouped] = [text(search), text(tag), text(group)]
  return {
    ...(searched !== undefined && { search: searched }),
    ...(known !== undefined && { status: known }),
    ...(tagged !== undefined && { tag: tagged }),
    ...(grouped !== undefined && { group: grouped }),
    ...(sorted !== undefined && sorted !== 'status' && { sort: sorted }),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 && { page }),
  }
}
