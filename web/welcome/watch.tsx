import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { ApiError, api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { RegionCard } from './region-card.tsx'

interface Props {
  monitor: string | undefined
  onMade(monitor: string): void
  onNext(): void
}

/** One field: the address of a site. Then the site as each region sees it. */
export function Watch({ monitor, onMade, onNext }: Props) {
  const { t } = useTranslation('welcome')
  const [url, setUrl] = useState('')
  const create = useMutation({
    mutationFn: (address: string) =>
      bodyOf(api.POST('/api/v1/monitors', { body: { name: nameOf(address), url: address } })),
    onSuccess: ({ data }) => onMade(data.id),
  })
  const refusal = create.error instanceof ApiError ? create.error : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(url.trim())
  }
  if (monitor !== undefined) return <FirstRun monitor={monitor} onNext={onNext} />
  return (
    <>
      <h1>{t('watch.title')}</h1>
      <Form className="welcome-form" onSubmit={submit} validationErrors={refusal?.fields ?? {}}>
        <TextField
          label={t('watch.url')}
          description={t('watch.hint')}
          name="url"
          value={url}
          onChange={setUrl}
          inputMode="url"
          autoComplete="url"
          isRequired
          autoFocus
        />
        {create.error && Object.keys(refusal?.fields ?? {}).length === 0 && <p role="alert">{create.error.message}</p>}
        <Button type="submit" variant="primary" isPending={create.isPending}>
          {t('watch.go')}
        </Button>
      </Form>
    </>
  )
}

/** The host of an address names the monitor; it can be renamed. */
function nameOf(address: string): string {
  const url = URL.parse(address.includes('://') ? address : `https://${address}`)
  return url?.hostname || address.slice(0, 255)
}

function FirstRun({ monitor, onNext }: { monitor: string; onNext(): void }) {
  const { t } = useTranslation('welcome')
  const client = useQueryClient()
  const run = useQuery({
    queryKey: ['welcome', monitor],
    queryFn: async ({ signal }) => {
      const { data } = await bodyOf(api.GET('/api/v1/monitors/{monitor}', { params: { path: { monitor } }, signal }))
      const check = data.checks[0]
      if (!check) throw new Error(t('watch.noCheck'))
      const asked = await bodyOf(
        api.POST('/api/v1/checks/{check}/request-run', { params: { path: { check: check.id } }, signal }),
      )
      void client.invalidateQueries({ queryKey: ['dashboard'] })
      return { name: data.name, url: data.url, ...asked.data }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (run.isPending)
    return (
      <>
        <h1>{t('watch.running')}</h1>
        <p role="status">{t('watch.wait')}</p>
      </>
    )
  if (run.error)
    return (
      <>
        <h1>{t('watch.failed')}</h1>
        <p role="alert">{run.error.message}</p>
        <Button onPress={() => void run.refetch()}>{t('watch.again')}</Button>
      </>
    )
  const { name, url, results, silent } = run.data
  const good = results.filter(({ outcome }) => outcome === 'up' || outcome === 'warning').length
  const slowest = Math.max(1, ...results.map(({ phases }) => phases.total ?? 0))
  return (
    <>
      <h1>{good === results.length && good > 0 ? t('watch.up', { name }) : t('watch.notUp', { name })}</h1>
      <p>{t('watch.says', { url, good, count: results.length + silent.length })}</p>
      <ul className="welcome-regions">
        {results.map(result => (
          <RegionCard key={result.region} result={result} slowest={slowest} />
        ))}
        {silent.map(region => (
          <li key={region} className="welcome-region">
            <h2>{region}</h2>
            <p>{t('watch.silent')}</p>
          </li>
        ))}
      </ul>
      <div className="welcome-actions">
        <Button variant="primary" onPress={onNext}>
          {t('next')}
        </Button>
        <Button isPending={run.isFetching} onPress={() => void run.refetch()}>
          {t('watch.again')}
        </Button>
      </div>
    </>
  )
}
