import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { toast } from '../parts/toast.tsx'

interface CloneProps {
  id: string
  name: string
  /** The page of the copy. */
  to: '/app/monitors/$monitor' | '/app/heartbeats/$monitor' | '/app/servers/$monitor'
}

/** Copies a monitor, job or server, and leads to the copy. */
export function CloneButton({ id, name, to }: CloneProps) {
  const { t } = useTranslation('monitors')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const clone = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/v1/monitors/{monitor}/clone', {
          params: { path: { monitor: id } },
          body: { name: t('clone.name', { name: name.slice(0, 240) }) },
        }),
      ),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries()
      toast.success(t('clone.done', { name: data.name }))
      await navigate({ to, params: { monitor: data.id } })
    },
    onError: toast.failure,
  })
  return (
    <Button icon="copy" onPress={() => clone.mutate()} isPending={clone.isPending}>
      {t('clone.action')}
    </Button>
  )
}
