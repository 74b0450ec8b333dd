import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'
import { refresh } from '../queries.ts'

export type Migration = Schemas['Migration']
export type Item = Schemas['MigrationItem']
export type Divergence = Schemas['MigrationDivergence']

export const itemsOfPage = 50
const workMs = 1_500
const shadowMs = 30_000

export const listQuery = (page: number) =>
  queryOptions({
    queryKey: ['migrations', 'list', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/migrations', { params: { query: { page } }, signal })),
  })

/** Whether its file was never sent, or was deleted before it was read. */
export const waitsForFile = ({ state, progress, credentials_expire_at: until }: Migration, reads: 'file' | 'api') =>
  state === 'draft' && reads === 'file' && progress.phase === null && until === null

/** Whether something is done in the background at present. */
const isAtWork = ({ state }: Migration) => state === 'draft' || state === 'importing'
export const isInShadow = ({ state }: Migration) => state === 'shadow' || state === 'ready'

/** Read again while something is done in the background. */
export const migrationQuery = (id: string) =>
  queryOptions({
    queryKey: ['migrations', 'one', id],
    queryFn: async ({ signal }) => {
      const params = { path: { migration: id } }
      return (await bodyOf(api.GET('/api/v1/migrations/{migration}', { params, signal }))).data
    },
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false
      if (isAtWork(data)) return workMs
      return isInShadow(data) && shadowMs
    },
  })

export interface ItemFilters {
  action?: Item['action']
  page: number
}

/** Items of a migration, anew with each of its states. */
export const itemsQuery = ({ id, state, previewed_at: at }: Migration, { action, page }: ItemFilters) =>
  queryOptions({
    queryKey: ['migrations', 'items', id, state, at, action, page],
    queryFn: ({ signal }) => {
      const query = { page, per_page: itemsOfPage, ...(action && { action }) }
      const params = { path: { migration: id }, query }
      return bodyOf(api.GET('/api/v1/migrations/{migration}/items', { params, signal }))
    },
  })

export const divergencesQuery = (id: string, { page, isOpen }: { page: number; isOpen: boolean }) =>
  queryOptions({
    queryKey: ['migrations', 'divergences', id, isOpen, page],
    queryFn: ({ signal }) => {
      const params = { path: { migration: id }, query: { page, ...(isOpen && { open: true }) } }
      return bodyOf(api.GET('/api/v1/migrations/{migration}/divergences', { params, signal }))
    },
    refetchInterval: shadowMs,
  })

export const readinessQuery = (id: string) =>
  queryOptions({
    queryKey: ['migrations', 'readiness', id],
    queryFn: async ({ signal }) => {
      const params = { path: { migration: id } }
      return (await bodyOf(api.GET('/api/v1/migrations/{migration}/cutover-readiness', { params, signal }))).data
    },
    refetchInterval: shadowMs,
  })

/** After a step: the migration and all that is shown of it, and the monitors that it changes. */
export const readAgain = () => refresh('migration')

/** Sends the file of a migration as it is. */
export const sendFile = (id: string, file: File) =>
  bodyOf(
    api.PUT('/api/v1/migrations/{migration}/file', {
      params: { path: { migration: id } },
      body: '',
      bodySerializer: () => file,
      headers: { 'Content-Type': 'application/octet-stream' },
    }),
  )
