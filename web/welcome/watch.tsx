import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { Form } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { ApiError, api, bodyOf } from '../api.ts'
import { monitorQuery, regionsQuery } from '../monitors/queries.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { TextField } from '../parts/field.tsx'
import { useTypedInput } from '../parts/form.tsx'
import { RegionCard, slowestOf } from '../parts/region-card.tsx'
import { send } from '../parts/unsaved.ts'

interface Props {
  monitor: string | undefined
  onMade(monitor: string): void
  onNext(): void
}

/** How often the results that are in are read while the regions run the check. */
const readMs = 500

/** One field: the address of a site. Then the site as each region sees it. */
export function Watch({ monitor, onMade, onNext }: Props) {
  const { t } = useTranslation('welcome')
  const [url, setUrl] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useTypedInput(form)
  const create = useMutation({
    mutationFn: (address: string) =>
      bodyOf(api.POST('/api/v1/monitors', { body: { name: nameOf(address), url: address } })),
    onSuccess: ({ data }) => onMade(data.id),
  })
  const refusal = create.error instanceof ApiError ? create.error : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.current) send(form.current)
    create.mutate(url.trim())
  }
  if (monitor !== undefined) return <FirstRun monitor={monitor} onNext={onNext} />
  return (
    <>
      <h1>{t('watch.title')}</h1>
      <Form ref={form} className="welcome-form" onSubmit={submit} validationErrors={refusal?.fields ?? {}}>
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
          isCode
        />
        {create.error && Object.keys(refusal?.fields ?? {}).length === 0 && <Failure error={create.error} />}
        <div className="welcome-actions">
          <Button type="submit" variant="primary" isPending={create.isPending}>
            {t('watch.go')}
          </Button>
          <Button onPress={onNext}>{t('skip')}</Button>
        </div>
      </Form>
      <p>
        <Link to="/app/settings/import/new">{t('watch.import')}</Link>
      </p>
    </>
  )
}

/** The host of an address names the monitor; it can be renamed. */
function nameOf(address: string): string {
  const url = URL.parse(address.includes('://') ? address : `https://${address}`)
  return url?.hostname || address.slice(0, 255)
}

/** The results of the regions as they come in. */
function useFirstRun(id: string) {
  const { t } = useTranslation('welcome')
  const client = useQueryClient()
  const { data: monitor, error: missing } = useQuery({ ...monitorQuery(id), refetchInterval: false })
  const { data: regions = [] } = useQuery(regionsQuery)
  const check = monitor?.checks[0]?.id
  const path = { check: check ?? '' }
  const run = useQuery({
    queryKey: ['welcome', id, 'run'],
    queryFn: async ({ signal }) => {
      const { data } = await bodyOf(api.POST('/api/v1/checks/{check}/request-run', { params: { path }, signal }))
      void client.invalidateQueries({ queryKey: ['dashboard'] })
      return data
    },
    enabled: check !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const isRunning = run.isFetching || check === undefined
  const { data: early = [] } = useQuery({
    queryKey: ['welcome', id, 'results'],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/checks/{check}/results', { params: { path, query: { per_page: 25 } }, signal })))
        .data,
    enabled: check !== undefined && isRunning,
    refetchInterval: isRunning ? readMs : false,
  })
  const results = run.data && !isRunning ? run.data.results : early
  const names = run.data?.asked ?? regions.map(({ name }) => name)
  const noCheck = monitor && !check ? new Error(t('watch.noCheck')) : null
  return {
    monitor,
    isRunning,
    error: missing ?? noCheck ?? run.error,
    again: () => void run.refetch(),
    cards: names.map(region => ({ region, result: results.find(result => result.region === region) ?? null })),
  }
}

function FirstRun({ monitor: id, onNext }: { monitor: string; onNext(): void }) {
  const { t } = useTranslation('welcome')
  const { monitor, isRunning, error, again, cards } = useFirstRun(id)
  const good = cards.filter(({ result }) => result?.outcome === 'up' || result?.outcome === 'warning').length
  const name = monitor?.name ?? ''
  const title = () => {
    if (error) return t('watch.failed')
    if (isRunning) return t('watch.running')
    return good === cards.length && good > 0 ? t('watch.up', { name }) : t('watch.notUp', { name })
  }
  return (
    <>
      <h1>{title()}</h1>
      <p role="status">
        {isRunning ? t('watch.wait') : t('watch.says', { url: monitor?.url, good, count: cards.length })}
      </p>
      <Failure error={error} />
      {!error && (
        <ul className="region-cards" aria-busy={isRunning}>
          {cards.map(({ region, result }) => (
            <RegionCard
              key={region}
              region={region}
              result={result}
              isPending={isRunning}
              slowest={slowestOf(cards.map(card => card.result))}
            />
          ))}
        </ul>
      )}
      <div className="welcome-actions">
        <Button variant="primary" onPress={onNext}>
          {t('next')}
        </Button>
        <Button isPending={isRunning && !error} onPress={again}>
          {t('watch.again')}
        </Button>
      </div>
    </>
  )
}
