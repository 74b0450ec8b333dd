import { useQueries, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { RegionCard, slowestOf } from '../parts/region-card.tsx'
import { planQuery } from '../shared-queries.ts'
import { regionsQuery } from './queries.ts'

/** A check as it would be saved. */
export interface Tried {
  url: string
  type: 'website' | 'host'
  check: Pick<Schemas['NewCheck'], 'type'> & { settings?: Record<string, unknown> | undefined }
}

interface TryItProps {
  /** null: there is nothing to try yet. */
  tried: Tried | null
  /** Names of regions; none means all. */
  regions: readonly string[]
}

/** Runs a check once from each region before it is saved. A region is asked by itself, so that its card fills at once. */
export function TryIt({ tried, regions }: TryItProps) {
  const { t } = useTranslation('monitors')
  const { data: known } = useSuspenseQuery(regionsQuery)
  const { limits } = useSuspenseQuery(planQuery).data
  const [attempt, setAttempt] = useState<{ number: number; tried: Tried; regions: readonly string[] } | null>(null)
  const chosen = regions.length > 0 ? regions : known.map(({ name }) => name)
  const asked = chosen.slice(0, limits.regions_per_monitor ?? chosen.length)
  const answers = useQueries({
    queries: (attempt?.regions ?? []).map(region => ({
      queryKey: ['try', attempt?.number, attempt?.tried, region],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        // the kind decides which settings are allowed, which the server says better than a type
        const body = { ...attempt?.tried, regions: [region] } as Schemas['NewCheckTry']
        return (await bodyOf(api.POST('/api/v1/checks/try', { body, signal }))).data
      },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      retry: false,
    })),
  })
  const isRunning = answers.some(({ isPending }) => isPending)
  const refused = answers.find(({ error }) => error)?.error ?? null
  const slowest = slowestOf(answers.map(({ data }) => data?.results[0]))
  return (
    <section aria-label={t('try.label')}>
      <Button
        icon="play"
        isDisabled={tried === null}
        isPending={isRunning}
        onPress={() => tried && setAttempt({ number: (attempt?.number ?? 0) + 1, tried, regions: asked })}
      >
        {t(attempt ? 'try.again' : 'try.now')}
      </Button>
      {!attempt && <p className="soft">{t('try.says')}</p>}
      <Failure error={refused} />
      {attempt && !refused && (
        <ul className="region-cards" aria-live="polite" aria-busy={isRunning}>
          {answers.map(({ data, isPending }, index) => (
            <RegionCard
              key={attempt.regions[index]}
              region={attempt.regions[index] ?? ''}
              result={data?.results[0] ?? null}
              isPending={isPending}
              slowest={slowest}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
