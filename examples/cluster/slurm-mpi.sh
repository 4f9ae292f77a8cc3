#!/bin/bash
# One job on several nodes: its ranks fetch data sets from each other, so that all of them end together.
#
#   sbatch slurm-mpi.sh
#   LAUNCH=mpirun sbatch slurm-mpi.sh        # where Slurm knows no PMIx (srun --mpi=list tells)
#SBATCH --job-name=evident-mpi
#SBATCH --ntasks=2               # ranks: one a node or socket is best
#SBATCH --cpus-per-task=1        # threads of each
#SBATCH --time=01:00:00
#SBATCH --output=evident-mpi.log

${LAUNCH:-srun --mpi=pmix --cpus-per-task=$SLURM_CPUS_PER_TASK} \
  evident batch study.toml --data 'subjects/*.csv' --out results --resume "$@"
