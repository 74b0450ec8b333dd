import { useTranslation } from 'react-i18next'
import type { Check } from '../queries.ts'
import { Newest, Pairs } from './parts.tsx'

type Records = Partial<Record<string, readonly string[]>>

/** The records by type; after a change those that are gone and those that are new are marked. */
export function DnsView({ check }: { check: Check }) {
  const { t } = useTranslation('check-views')
  return (
    <Newest kind="dns" check={check}>
      {({ records, replaced, failed, zone, nameservers, settled }) => {
        const [now, before] = [records as Records, replaced as Records | null]
        return (
          <>
            {before && <p>{t('dns.changed')}</p>}
            {!settled && <p>{t('dns.unsettled')}</p>}
            {failed.length > 0 && <p>{t('dns.failed', { types: failed.join(', ') })}</p>}
            <table className="table records">
              <caption className="unseen">{t('dns.records')}</caption>
              <thead>
                <tr>
                  <th scope="col">{t('dns.type')}</th>
                  <th scope="col">{t('dns.values')}</th>
                </tr>
              </thead>
              <tbody>
                {Object.entries(now).map(([type, values = []]) => (
                  <tr key={type}>
                    <th scope="row">{type}</th>
                    <td>
                      <Values values={values} before={before?.[type] ?? values} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <Pairs
              of={[
                [t('dns.zone'), zone],
                [t('dns.nameservers'), nameservers?.join(', ')],
              ]}
            />
          </>
        )
      }}
    </Newest>
  )
}

function Values({ values, before }: { values: readonly string[]; before: readonly string[] }) {
  const { t } = useTranslation('check-views')
  const [now, earlier] = [new Set(values), new Set(before)]
  const gone = before.filter(value => !now.has(value))
  return (
    <>
      {gone.map(value => (
        <del key={value}>{value}</del>
      ))}
      {values.map(value =>
        earlier.has(value) ? (
          <code key={value} className="given">
            {value}
            <br />
          </code>
        ) : (
          <ins key={value}>{value}</ins>
        ),
      )}
      {values.length === 0 && gone.length === 0 && <span className="soft">{t('dns.empty')}</span>}
    </>
  )
}
