import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { number } from '../../contract/figures.ts'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { CheckboxField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { Moment, useNow } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { type Migration, readAgain, readinessQuery } from './queries.ts'
import { sources } from './sources.ts'

type Readiness = Schemas['MigrationReadiness']

/** The conditions of a cutover with their present values, and the cutover itself. */
export function Cutover({ migration }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  const { data: readiness } = useQuery(readinessQuery(migration.id))
  const [isAsked, setAsked] = useState(false)
  if (!readiness) return <div className="loading" role="progressbar" aria-label={t('readiness')} />
  return (
    <section className="card">
      <h2>{t('readiness')}</h2>
      <p className="soft">{t(readiness.is_ready ? 'readiness.ready' : 'readiness.waits')}</p>
      <ul className="conditions">
        {readiness.conditions.map(condition => (
          <Condition key={condition.name} condition={condition} />
        ))}
      </ul>
      <Button variant={readiness.is_ready ? 'primary' : 'plain'} onPress={() => setAsked(true)}>
        {t('step.cutover')}
      </Button>
      {isAsked && <Question migration={migration} isReady={readiness.is_ready} onClose={() => setAsked(false)} />}
    </section>
  )
}

function Condition({ condition }: { condition: Readiness['conditions'][number] }) {
  const { t, i18n } = useTranslation('migrations')
  const { name, is_met: isMet, value, wanted } = condition
  return (
    <li>
      <span className={isMet ? 'up' : 'down'}>
        <Icon name={isMet ? 'up' : 'down'} />
        <span className="unseen">{t(isMet ? 'condition.met' : 'condition.notMet')}</span>
      </span>
      <span>{t(`condition.${name}`)}</span>
      <span className="number">
        {value === null ? '–' : number(value, i18n.language, 1)}
        {wanted !== null && ` ${t(`wanted.${name}`, { wanted: number(wanted, i18n.language, 1) })}`}
      </span>
    </li>
  )
}

function Question({ migration, isReady, onClose }: { migration: Migration; isReady: boolean; onClose(): void }) {
  const { t } = useTranslation('migrations')
  const [force, setForce] = useState(false)
  const [pauses, setPauses] = useState(false)
  const [key, setKey] = useState('')
  const { id, name, provider, has_credentials: hasKey } = migration
  const act = async () => {
    const params = { path: { migration: id } }
    if (pauses && key)
      await bodyOf(api.POST('/api/v1/migrations/{migration}/shadow', { params, body: { api_key: key } }))
    const body = { force, pause_source: pauses }
    await bodyOf(api.POST('/api/v1/migrations/{migration}/cutover', { params, body }))
    await readAgain()
    toast.success(t('cutover.done'))
  }
  return (
    <FormDialog
      title={t('cutover.title', { name })}
      says={t('step.cutover.says')}
      submit={t('step.cutover')}
      isDanger={!isReady}
      onClose={onClose}
      act={act}
    >
      {!isReady && (
        <CheckboxField
          name="force"
          label={t('cutover.force')}
          description={t('cutover.force.says')}
          isSelected={force}
          onChange={setForce}
        />
      )}
      {sources[provider].pauses && (
        <CheckboxField
          name="pause_source"
          label={t('cutover.pause')}
          description={t('cutover.pause.says')}
          isSelected={pauses}
          onChange={setPauses}
        />
      )}
      {pauses && !hasKey && (
        <TextField
          name="api_key"
          label={t('field.key')}
          description={t(`source.${provider}.says`)}
          type="password"
          autoComplete="off"
          isCode
          isRequired
          value={key}
          onChange={setKey}
        />
      )}
    </FormDialog>
  )
}

/** Back to the old provider, as long as that is possible. */
export function Rollback({ migration: { id, name, rollback_until: until } }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  const now = useNow()
  if (until === null || Date.parse(until) <= now) return null
  return (
    <section className="card">
      <h2>{t('rollback')}</h2>
      <p>
        {t('rollback.until')} <Moment at={until} />
      </p>
      <ConfirmDialog
        trigger={<Button variant="danger">{t('rollback')}</Button>}
        title={t('rollback.title', { name })}
        action={t('rollback')}
        isDanger
        onConfirm={async () => {
          await bodyOf(api.POST('/api/v1/migrations/{migration}/rollback', { params: { path: { migration: id } } }))
          await readAgain()
          toast.success(t('rollback.done'))
        }}
      >
        {t('rollback.says')}
      </ConfirmDialog>
    </section>
  )
}
