import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { agentsQuery, regionsQuery } from './queries.ts'

type Agent = Schemas['Agent']

/** The line that starts an agent with its one-time token. */
const lineOf = (token: string, region: string) =>
  `VEDETTE_URL=${location.origin} REGION=${region} DATA_DIR=/var/lib/vedette-agent ENROLMENT_TOKEN=${token} ` +
  'node cli/vedette.js probe'

const again = () => Promise.all([refresh(['agents']), refresh(regionsQuery.queryKey)])

/** From where checks run: regions, their agents, and the way to add one. */
export function Agents() {
  const { t } = useTranslation('ops')
  const [page, setPage] = useState(1)
  const [isEnrolling, setEnrolling] = useState(false)
  const [enrolled, setEnrolled] = useState<{ line: string; since: number } | null>(null)
  const [revoked, setRevoked] = useState<Agent | null>(null)
  const { data } = useQuery(agentsQuery(page, enrolled !== null))
  const enrol = (
    <Button variant="primary" icon="add" onPress={() => setEnrolling(true)}>
      {t('agents.enrol')}
    </Button>
  )
  return (
    <>
      <Regions />
      {enrolled && <Waiting {...enrolled} agents={data?.data ?? []} />}
      <section className="card">
        <div className="row spread">
          <h2>{t('agents.agents')}</h2>
          {enrol}
        </div>
        {data?.meta.total === 0 ? (
          <EmptyState title={t('agents.empty')} action={enrol}>
            {t('agents.empty.says')}
          </EmptyState>
        ) : (
          <Table
            caption={t('agents.agents')}
            rows={data?.data}
            keyOf={({ id }) => id}
            columns={[
              { id: 'name', header: t('agents.name'), cell: ({ name }) => name },
              { id: 'region', header: t('agents.region'), cell: ({ region }) => region },
              {
                id: 'state',
                header: t('agents.state'),
                cell: ({ state }) => (
                  <span className={state === 'connected' ? 'up' : 'soft'}>{t(`agents.state.${state}`)}</span>
                ),
              },
              {
                id: 'seen',
                header: t('agents.seen'),
                cell: ({ last_seen_at: at }) => (at ? <Moment at={at} /> : t('never')),
              },
              { id: 'enrolled', header: t('agents.enrolled'), cell: ({ enrolled_at: at }) => <Moment at={at} /> },
              {
                id: 'actions',
                header: '',
                cell: agent =>
                  agent.state !== 'revoked' && (
                    <Button
                      variant="quiet"
                      aria-label={t('agents.revoke.label', { name: agent.name })}
                      onPress={() => setRevoked(agent)}
                    >
                      {t('agents.revoke')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
        {data && <Pager meta={data.meta} onPage={setPage} />}
      </section>
      {isEnrolling && <Enrol onClose={() => setEnrolling(false)} onEnrolled={setEnrolled} />}
      {revoked && (
        <FormDialog
          title={t('agents.revoke.title', { name: revoked.name })}
          says={t('agents.revoke.says')}
          submit={t('agents.revoke')}
          isDanger
          onClose={() => setRevoked(null)}
          act={async () => {
            await bodyOf(api.DELETE('/api/v1/agents/{agent}', { params: { path: { agent: revoked.id } } }))
            await again()
            toast.success(t('agents.revoked'))
          }}
        />
      )}
    </>
  )
}

interface EnrolProps {
  onClose(): void
  onEnrolled(enrolled: { line: string; since: number }): void
}

function Enrol({ onClose, onEnrolled }: EnrolProps) {
  const { t } = useTranslation('ops')
  const [region, setRegion] = useState('')
  return (
    <FormDialog
      title={t('agents.enrol')}
      submit={t('agents.enrol.create')}
      onClose={onClose}
      act={async () => {
        const { data } = await bodyOf(api.POST('/api/v1/agents/enrolment-tokens', { body: { region } }))
        onEnrolled({ line: lineOf(data.token, region), since: Date.now() })
      }}
    >
      <TextField
        label={t('agents.enrol.region')}
        description={t('agents.enrol.region.says')}
        name="region"
        isRequired
        autoFocus
        isCode
        value={region}
        onChange={setRegion}
      />
    </FormDialog>
  )
}

/** The line to paste; turns green with the first agent that enrols after it. */
function Waiting({ line, since, agents }: { line: string; since: number; agents: readonly Agent[] }) {
  const { t } = useTranslation('ops')
  const arrived = agents.find(agent => agent.state === 'connected' && Date.parse(agent.enrolled_at) >= since)
  return (
    <section className="card">
      <h2>{t('agents.enrol')}</h2>
      <p>{t('agents.enrol.line')}</p>
      <section aria-label={t('agents.enrol.label')}>
        <pre>{line}</pre>
      </section>
      <p role="status" className={arrived ? 'up' : 'soft'}>
        {arrived ? t('agents.enrol.green', { name: arrived.name }) : t('agents.enrol.waits')}
      </p>
    </section>
  )
}

function Regions() {
  const { t } = useTranslation('ops')
  const { data } = useQuery(regionsQuery)
  const retire = async (region: string) => {
    try {
      await bodyOf(api.DELETE('/api/v1/platform/regions/{region}', { params: { path: { region } } }))
      await again()
      toast.success(t('agents.region.retire.done'))
    } catch (error) {
      toast.failure(error as Error)
    }
  }
  const stateOf = (region: Schemas['PlatformRegion']) => {
    if (region.retired_at) return 'retired'
    if (!region.is_reporting && region.refused_agents.length > 0) return 'refused'
    return region.is_reporting ? 'reporting' : 'silent'
  }
  return (
    <section className="card">
      <h2>{t('agents.regions')}</h2>
      <Table
        caption={t('agents.regions')}
        rows={data?.data}
        keyOf={({ name }) => name}
        columns={[
          { id: 'region', header: t('agents.region'), cell: ({ name }) => name },
          {
            id: 'state',
            header: t('agents.state'),
            cell: region => (
              <>
                <span className={region.is_reporting ? 'up' : 'soft'}>{t(`agents.region.${stateOf(region)}`)}</span>
                {region.refused_agents.map(({ id, name, protocol, version, spoken_protocols: spoken }) => (
                  <p key={id} className="soft">
                    {t(protocol < Math.min(...spoken) ? 'agents.region.too_old' : 'agents.region.too_new', {
                      name,
                      protocol,
                      version: version ?? '?',
                      spoken: spoken.join(', '),
                    })}
                  </p>
                ))}
              </>
            ),
          },
          { id: 'agents', header: t('agents.region.agents'), cell: region => region.agents_count },
          { id: 'monitors', header: t('agents.region.monitors'), cell: region => region.checked_monitors_count },
          {
            id: 'actions',
            header: '',
            cell: region =>
              region.retired_at === null &&
              region.agents_count === 0 && (
                <Button
                  variant="quiet"
                  aria-label={t('agents.region.retire.label', { name: region.name })}
                  onPress={() => retire(region.name)}
                >
                  {t('agents.region.retire')}
                </Button>
              ),
          },
        ]}
      />
    </section>
  )
}
