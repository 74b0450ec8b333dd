import { useMutation } from '@tanstack/react-query'
import { api, bodyOf } from '../api.ts'
import { refresh } from '../queries.ts'
import type { Check, CheckSummary, Monitor, MonitorChanges } from './queries.ts'

/** After a change of monitors: what is on the screen is read again. */
export const readMonitorsAgain = () => refresh('monitor', 'check', 'plan')

const pathOf = (monitor: string) => ({ params: { path: { monitor } } })

export function useSwitch({ id }: Pick<Monitor, 'id'>) {
  return useMutation({
    mutationFn: (isEnabled: boolean) =>
      bodyOf(
        isEnabled
          ? api.POST('/api/v1/monitors/{monitor}/enable', pathOf(id))
          : api.POST('/api/v1/monitors/{monitor}/disable', pathOf(id)),
      ),
    onSuccess: readMonitorsAgain,
  })
}

export function useUpdate({ id }: Pick<Monitor, 'id'>, onSaved?: (monitor: Monitor) => void) {
  return useMutation({
    mutationFn: (changes: MonitorChanges) =>
      bodyOf(api.PATCH('/api/v1/monitors/{monitor}', { ...pathOf(id), body: changes })),
    onSuccess: async ({ data }) => {
      await readMonitorsAgain()
      onSaved?.(data)
    },
  })
}

const byCheck = (check: string) => ({ params: { path: { check } } })

/** Runs a check in all of its regions, which takes as long as the slowest of them. */
export function useRunNow() {
  return useMutation({
    mutationFn: async (check: string) =>
      (await bodyOf(api.POST('/api/v1/checks/{check}/request-run', byCheck(check)))).data,
    onSettled: readMonitorsAgain,
  })
}

/** Snoozes all checks of a monitor for so many minutes, or ends that with null. */
export function useSnooze(checks: readonly Pick<CheckSummary, 'id'>[]) {
  return useMutation({
    mutationFn: async (minutes: number | null) => {
      for (const { id } of checks)
        await bodyOf(
          minutes === null
            ? api.POST('/api/v1/checks/{check}/unsnooze', byCheck(id))
            : api.POST('/api/v1/checks/{check}/snooze', { ...byCheck(id), body: { minutes, reason: null } }),
        )
    },
    onSettled: readMonitorsAgain,
  })
}

export function useSwitchCheck() {
  return useMutation({
    mutationFn: ({ id, is_enabled }: Pick<Check, 'id' | 'is_enabled'>) =>
      bodyOf(
        is_enabled
          ? api.POST('/api/v1/checks/{check}/disable', byCheck(id))
          : api.POST('/api/v1/checks/{check}/enable', byCheck(id)),
      ),
    onSuccess: readMonitorsAgain,
  })
}

/** Deletes monitors one after the other: those before a refusal are gone. Answers with their number. */
export function useDelete() {
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await bodyOf(api.DELETE('/api/v1/monitors/{monitor}', pathOf(id)))
      return ids.length
    },
    onSettled: readMonitorsAgain,
  })
}

/** Changes many monitors in one call, all or none. */
export function useChangeMany(onDone?: () => void) {
  return useMutation({
    mutationFn: async (monitors: readonly ({ id: string } & MonitorChanges)[]) =>
      (await bodyOf(api.PATCH('/api/v1/monitors/bulk', { body: { monitors: [...monitors] } }))).data,
    onSuccess: async () => {
      await readMonitorsAgain()
      onDone?.()
    },
  })
}
