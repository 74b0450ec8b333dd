import { useMutation } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'
import { refresh } from '../queries.ts'

const pathOf = (incident: string) => ({ params: { path: { incident } } })

const again = () => refresh('incident')

const calls = {
  acknowledge: (id: string) => api.POST('/api/v1/incidents/{incident}/acknowledge', pathOf(id)),
  unacknowledge: (id: string) => api.POST('/api/v1/incidents/{incident}/unacknowledge', pathOf(id)),
  unsnooze: (id: string) => api.POST('/api/v1/incidents/{incident}/unsnooze', pathOf(id)),
  archive: (id: string) => api.POST('/api/v1/incidents/{incident}/archive', pathOf(id)),
  unarchive: (id: string) => api.POST('/api/v1/incidents/{incident}/unarchive', pathOf(id)),
} as const
export type Step = keyof typeof calls

/** What needs no more than a press. `done` is called at once, before what is on the screen has been read again. */
export function useStep(done?: (step: Step) => void) {
  return useMutation({
    mutationFn: ({ id, step }: { id: string; step: Step }) => bodyOf(calls[step](id)),
    onSuccess: (_data, { step }) => done?.(step),
    onSettled: again,
  })
}

export function useSnooze(id: string) {
  return useMutation({
    mutationFn: (minutes: number) =>
      bodyOf(api.POST('/api/v1/incidents/{incident}/snooze', { ...pathOf(id), body: { minutes } })),
    onSettled: again,
  })
}

/** Changes of an incident by a form: each resolves once what is on the screen is new. */
export function useChange<Body>(change: (body: Body) => Promise<unknown>, onDone: () => void) {
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await again()
      onDone()
    },
  })
}

export const postNote = (id: string) => (body: Schemas['IncidentsUpdatesCreateRequest']) =>
  bodyOf(api.POST('/api/v1/incidents/{incident}/updates', { ...pathOf(id), body }))

export const resolve = (id: string) => (body: Schemas['IncidentsResolveRequest']) =>
  bodyOf(api.POST('/api/v1/incidents/{incident}/resolve', { ...pathOf(id), body }))

export const edit = (id: string) => (body: Schemas['IncidentsUpdateRequest']) =>
  bodyOf(api.PATCH('/api/v1/incidents/{incident}', { ...pathOf(id), body }))

export const publish = ({ page, ...body }: { page: string } & Schemas['NewStatusPagePost']) =>
  bodyOf(api.POST('/api/v1/status-pages/{status_page}/posts', { params: { path: { status_page: page } }, body }))

const postPath = (page: string, post: string) => ({ params: { path: { status_page: page, post } } })

export const updatePublished =
  (page: string, post: string) =>
  (body: { phase: Schemas['IncidentStatus']; body: string; notify_subscribers: boolean }) =>
    bodyOf(api.POST('/api/v1/status-pages/{status_page}/posts/{post}/updates', { ...postPath(page, post), body }))

export const setPostmortem = (page: string, post: string) => (body: { body: string; is_published: boolean }) =>
  bodyOf(api.PUT('/api/v1/status-pages/{status_page}/posts/{post}/postmortem', { ...postPath(page, post), body }))
