#!/bin/bash
# An array job: each task does its share of the data sets. No MPI is needed, and tasks start as nodes get free.
#
#   array=$(sbatch --parsable slurm-array.sh)
#   sbatch --dependency=afterany:$array slurm-gather.sh
#
# Tasks that failed are run again with:  sbatch --array=3,7 slurm-array.sh
#SBATCH --job-name=evident
#SBATCH --array=1-4              # as many as TASKS below; a thousand tasks are fine
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --output=evident-%a.log
TASKS=4

# A task that was requeued goes on where it was; one that is new begins.
evident batch study.toml --data 'subjects/*.csv' --out results --shard auto/$TASKS --resume \
  --threads "${SLURM_CPUS_PER_TASK:-1}" "$@"
