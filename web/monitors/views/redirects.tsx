import { useTranslation } from 'react-i18next'
import { milliseconds } from '../../../contract/figures.ts'
import type { Check } from '../queries.ts'
import { Newest, Verdict } from './parts.tsx'

/** The hops of the chain, one below the other. */
export function RedirectsView({ check }: { check: Check }) {
  const { t, i18n } = useTranslation('check-views')
  return (
    <Newest kind="redirect_chain" check={check}>
      {({ hops, end, failure, replaced }) => (
        <>
          <Verdict isGood={end === 'arrived'}>{t(`redirects.${end}`)}</Verdict>
          <ol className="chain">
            {hops.map(({ url, status, protocol, ms }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a loop passes an address twice
              <li key={index}>
                <p>
                  <code className="given">{url}</code>
                </p>
                <p className="soft">
                  {[status === null ? null : `HTTP ${status}`, protocol, milliseconds(ms, i18n.language)]
                    .filter(part => part !== null && part !== '')
                    .join(', ')}
                </p>
              </li>
            ))}
          </ol>
          {failure !== null && <p>{typeof failure === 'string' ? failure : failure.message}</p>}
          {replaced !== null && <p>{t('redirects.replaced', { url: replaced })}</p>}
        </>
      )}
    </Newest>
  )
}
