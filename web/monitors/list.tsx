import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'

/** The team's monitors, filtered by the address. */
export function MonitorList() {
  const { t } = useTranslation('monitors')
  const filters = useSearch({ from: '/app/app/monitors' })
  const { data } = useSuspenseQuery({
    queryKey: ['monitors', filters],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/monitors', { params: { query: { per_page: 100 } }, signal })),
  }).data
  return (
    <div className="page">
      <h1>{t('title')}</h1>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('status')}</th>
          </tr>
        </thead>
        <tbody>
          {data.map(({ id, name, url, status }) => (
            <tr key={id}>
              <th scope="row">
                {name} <small>{url}</small>
              </th>
              <td>{t(`state.${status ?? 'pending'}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
