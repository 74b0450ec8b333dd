import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { Moment } from '../parts/time.tsx'
import { isInShadow, type Migration, migrationQuery, waitsForFile } from './queries.ts'
import { sources } from './sources.ts'
import { StatePill } from './state-pill.tsx'
import { Steps } from './steps.tsx'
import '../monitors/monitors.css'
import './migrations.css'

const GapNotice = lazy(async () => ({ default: (await import('../alerts/gap-notice.tsx')).GapNotice }))
const CancelDialog = lazy(async () => ({ default: (await import('./cancel-dialog.tsx')).CancelDialog }))
const Cutover = lazy(async () => ({ default: (await import('./cutover.tsx')).Cutover }))
const Divergences = lazy(async () => ({ default: (await import('./divergences.tsx')).Divergences }))
const Items = lazy(async () => ({ default: (await import('./items.tsx')).Items }))
const ReadAnew = lazy(async () => ({ default: (await import('./read-anew.tsx')).ReadAnew }))
const Rollback = lazy(async () => ({ default: (await import('./cutover.tsx')).Rollback }))
const Shadow = lazy(async () => ({ default: (await import('./shadow.tsx')).Shadow }))

/** One migration: how far it is, what it found, and its next step. */
export function MigrationPage() {
  const { t } = useTranslation('migrations')
  const { migration: id } = useParams({ from: '/app/app/settings/import/$migration' })
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { state, name, provider, notes, failure, failed_in: failedIn, previewed_at: previewedAt } = migration
  const { reads } = sources[provider]
  const hasFailedImport = state === 'failed' && failedIn === 'importing'
  const readsAnew = (state === 'failed' && !hasFailedImport) || waitsForFile(migration, reads)
  return (
    <>
      <section className="card">
        <div className="row spread">
          <div className="row">
            <h2>{name}</h2>
            <StatePill state={state} />
          </div>
          <Cancel migration={migration} />
        </div>
        <p className="soft">
          {t(`source.${provider}`)}, {t('started')} <Moment at={migration.created_at} />
        </p>
        <Steps migration={migration} />
        <p>{t(`state.${state}.says`)}</p>
        {failure !== null && (
          <p className="down" role="alert" lang="en">
            {failure}
          </p>
        )}
        <Progress migration={migration} />
        {previewedAt !== null && <Counts migration={migration} />}
        {notes.length > 0 && (
          <ul lang="en">
            {notes.map(note => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        {readsAnew && (
          <Suspense>
            <ReadAnew migration={migration} />
          </Suspense>
        )}
        <Scope migration={migration} />
      </section>
      <Suspense>
        {state === 'imported' && <Shadow migration={migration} />}
        {isInShadow(migration) && <Cutover migration={migration} />}
        {state === 'cutover' && <GapNotice />}
        {state === 'cutover' && <Rollback migration={migration} />}
        {migration.shadow_at !== null && <Divergences migration={migration} />}
        {previewedAt !== null && <Items migration={migration} />}
      </Suspense>
    </>
  )
}

/** Announced politely: a record each second is no news. */
function Progress({ migration: { progress, state } }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  if (progress.phase === null || (state !== 'draft' && state !== 'importing')) return null
  const { done, total } = progress
  const label = t(state === 'importing' ? 'progress.importing' : 'progress.reading')
  return (
    <div className="migration-progress">
      <progress aria-label={label} {...(total > 0 && { value: done, max: total })} />
      <span className="number">
        {label} {total > 0 && t('progress.of', { done, total })}
      </span>
    </div>
  )
}

const countNames = ['create', 'update', 'skip', 'created', 'updated', 'failed'] as const

function Counts({ migration: { counts, state } }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  const isPreview = state === 'previewed'
  const shown = countNames.filter(name => {
    const isPlanned = name === 'create' || name === 'update' || name === 'skip'
    return isPlanned ? true : !isPreview && (name !== 'failed' || counts.failed > 0)
  })
  return (
    <dl className="figures migration-figures">
      {shown.map(name => (
        <div key={name}>
          <dt>{t(`count.${name}`)}</dt>
          <dd>{counts[name]}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What of the provider is carried over, and what is not. */
function Scope({ migration: { carries, leaves_behind: left } }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  const list = (title: string, lines: readonly string[]) => (
    <>
      <h3>{title}</h3>
      <ul lang="en">
        {lines.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
  return (
    <details>
      <summary>{t('scope')}</summary>
      {list(t('scope.carries'), carries)}
      {list(t('scope.leaves'), left)}
    </details>
  )
}

const ended: ReadonlySet<Migration['state']> = new Set(['cutover', 'rolled_back', 'cancelled'])

function Cancel({ migration }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  const [isAsked, setAsked] = useState(false)
  if (ended.has(migration.state)) return null
  return (
    <>
      <Button variant="danger" onPress={() => setAsked(true)}>
        {t('cancel')}
      </Button>
      {isAsked && (
        <Suspense>
          <CancelDialog migration={migration} onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  )
}
