import { useTranslation } from 'react-i18next'
import { Pill } from '../../parts/status-pill.tsx'
import { Table } from '../../parts/table.tsx'
import type { Check } from '../queries.ts'
import { Newest, Pairs } from './parts.tsx'

const tones = { clean: 'up', listed: 'down', refused: 'unknown', failed: 'unknown' } as const

/** What each block list answered. */
export function BlockListsView({ check }: { check: Check }) {
  const { t } = useTranslation('check-views')
  return (
    <Newest kind="dnsbl" check={check}>
      {({ addresses, domain, lists }) => (
        <>
          <Pairs
            of={[
              [t('dnsbl.addresses'), addresses.join(', ')],
              [t('dnsbl.domain'), domain],
            ]}
          />
          <Table
            caption={t('dnsbl.lists')}
            rows={lists.toSorted((a, b) => Number(b.state === 'listed') - Number(a.state === 'listed'))}
            keyOf={({ list }) => list}
            columns={[
              {
                id: 'name',
                header: t('dnsbl.list'),
                cell: ({ name, zone, about }) => (
                  <>
                    <a href={about} target="_blank" rel="noreferrer">
                      {name}
                    </a>
                    <small>{zone}</small>
                  </>
                ),
              },
              {
                id: 'state',
                header: t('dnsbl.answer'),
                cell: ({ state }) => <Pill tone={tones[state]}>{t(`dnsbl.${state}`)}</Pill>,
              },
              { id: 'meaning', header: t('dnsbl.meaning'), cell: ({ meaning }) => meaning },
            ]}
          />
        </>
      )}
    </Newest>
  )
}
