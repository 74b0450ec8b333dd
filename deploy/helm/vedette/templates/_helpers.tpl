{{- define "vedette.labels" -}}
app.kubernetes.io/name: vedette
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{- define "vedette.selector" -}}
app.kubernetes.io/name: vedette
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "vedette.name" -}}
{{ printf "%s-%s" .root.Release.Name .component | trunc 52 | trimSuffix "-" }}
{{- end -}}

{{- define "vedette.image" -}}
{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{- define "vedette.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "vedette.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "vedette.podPlace" -}}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Settings and secrets of a control plane. */}}
{{- define "vedette.environment" -}}
env:
  {{- if .Values.ingest.url }}
  # of the processes of the role ingest; the others make nothing of it
  - { name: POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
  - { name: INGEST_URL, value: {{ .Values.ingest.url | quote }} }
  {{- end }}
  - { name: BASE_URL, value: {{ .Values.baseUrl | quote }} }
  - { name: METRICS_HOST, value: '0.0.0.0' }
  {{- if .Values.temporal.address }}
  - { name: TEMPORAL_ADDRESS, value: {{ .Values.temporal.address | quote }} }
  - { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
envFrom:
  - secretRef: { name: {{ .Values.secrets.keys }} }
  - secretRef: { name: {{ .Values.secrets.stores }} }
  {{- with .Values.secrets.extra }}
  - secretRef: { name: {{ . }} }
  {{- end }}
{{- end -}}

{{/* A pod of the control plane in one role. */}}
{{- define "vedette.rolePod" -}}
metadata:
  labels: {{- include "vedette.labels" . | nindent 4 }}
  {{- with .root.Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "vedette.podPlace" .root | nindent 2 }}
  securityContext: {{- include "vedette.podSecurity" . | nindent 4 }}
  terminationGracePeriodSeconds: 30
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "vedette.selector" . | nindent 10 }}
  containers:
    - name: {{ .component }}
      image: {{ include "vedette.image" (dict "root" .root "image" .root.Values.image) }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [serve, --role, {{ .component }}]
      {{- include "vedette.environment" .root | nindent 6 }}
      ports:
        - { name: http, containerPort: 8080 }
        - { name: metrics, containerPort: 9464 }
      securityContext: {{- include "vedette.containerSecurity" . | nindent 8 }}
      startupProbe:
        httpGet: { path: /healthz, port: metrics }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /healthz, port: metrics }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: {{ .ready }}, port: metrics }
        periodSeconds: 5
        timeoutSeconds: 4
        failureThreshold: 2
      {{- if eq .component "api" }}
      lifecycle:
        # requests are still sent here for a moment after the pod was taken out of the service
        preStop: { exec: { command: [node, -e, 'setTimeout(() => {}, 5000)'] } }
      {{- end }}
      resources: {{- toYaml .values.resources | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        - { name: state, mountPath: /var/lib/vedette }
  volumes:
    - { name: tmp, emptyDir: { medium: Memory, sizeLimit: 64Mi } }
    - { name: state, emptyDir: { sizeLimit: 1Gi } }
{{- end -}}

{{- define "vedette.dns" }}
- to: [{ namespaceSelector: {} }]
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end }}
{{- define "vedette.toStores" }}
{{- range $name, $store := .Values.stores }}
{{- if or (ne $name "temporal") $.Values.temporal.address }}
- ports: [{ protocol: TCP, port: {{ $store.port }} }]
  {{- with $store.cidr }}
  to: [{ ipBlock: { cidr: {{ . }} } }]
  {{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- define "vedette.toInternet" }}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, 100.64.0.0/10]
    - ipBlock:
        cidr: ::/0
        except: ['fc00::/7', 'fe80::/10']
{{- end }}
