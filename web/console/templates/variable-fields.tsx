import type { Schemas } from '../../api.ts'
import { TextField } from '../../parts/field.tsx'

interface VariableFieldsProps {
  variables: Schemas['MonitorTemplate']['variables']
  values: Readonly<Record<string, string>>
  onChange(values: Record<string, string>): void
}

/** A field for each variable of a template. One that is left empty takes its default. */
export function VariableFields({ variables, values, onChange }: VariableFieldsProps) {
  return variables.map(({ name, description, required, default: otherwise }) => (
    <TextField
      key={name}
      label={name}
      {...(description && { description })}
      name={`variables.${name}`}
      isRequired={required && otherwise === null}
      placeholder={otherwise ?? ''}
      value={values[name] ?? ''}
      onChange={value => onChange({ ...values, [name]: value })}
    />
  ))
}

/** What was typed: the API fills in the defaults of the rest. */
export const typedOf = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
