# Answers each line of its input, a list of jobs in JSON, with a line: of Helm's own library, by helm-python-sdk.
import json
import sys

sys.path.insert(0, sys.argv[1])
import helm_python as helm  # noqa: E402


def answer(job):
    try:
        if job["do"] == "lint":
            report = helm.lint(job["chart"], job["values"], strict=True, kube_version=job["kubernetes"])
            return {"errors": report["errors"]}
        chart = helm.Chart.load(job["chart"])
        chart.validate_schema(job["values"])
        files = chart.render(job["values"], name=job["name"], namespace="default", is_install=True)
        return {"errors": [], "files": files}
    except helm.HelmError as error:
        return {"errors": [str(error)]}


for line in sys.stdin:
    print(json.dumps([answer(job) for job in json.loads(line)]), flush=True)
