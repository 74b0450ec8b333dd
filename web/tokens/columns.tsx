import { useTranslation } from 'react-i18next'
import { Moment } from '../parts/time.tsx'
import type { Token } from './families.ts'

/** The columns of each list of tokens, before its actions. */
export function useTokenColumns() {
  const { t } = useTranslation('tokens')
  const at = (moment: string | null) => (moment ? <Moment at={moment} /> : t('never'))
  return [
    {
      id: 'name',
      header: t('name'),
      cell: ({ name, masked_token: masked }: Token) => (
        <>
          {name}
          <br />
          <code className="soft">{masked}</code>
        </>
      ),
    },
    { id: 'scopes', header: t('scopes'), cell: ({ scopes }: Token) => <small>{scopes.join(', ')}</small> },
    { id: 'used', header: t('used'), cell: ({ last_used_at: used }: Token) => at(used) },
    { id: 'expires', header: t('expires'), cell: ({ expires_at: end }: Token) => at(end) },
    {
      id: 'state',
      header: t('state'),
      cell: ({ problem, is_active: isActive }: Token) => t(`state.${problem ?? (isActive ? 'on' : 'disabled')}`),
    },
  ]
}
