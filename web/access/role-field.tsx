import { useTranslation } from 'react-i18next'
import { SelectField } from '../parts/field.tsx'

const roles = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

export function RoleField({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  const { t } = useTranslation('access')
  return (
    <SelectField
      label={t('role')}
      name="role"
      choices={roles.map(id => ({ id, label: t(`role.${id}`), description: t(`role.${id}.says`) }))}
      value={value}
      onChange={onChange}
    />
  )
}
