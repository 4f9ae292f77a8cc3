#!/bin/bash
# After the array job: puts its shards together, or says which are missing and how to make them.
#SBATCH --job-name=evident-gather
#SBATCH --ntasks=1
#SBATCH --time=00:10:00
#SBATCH --output=evident-gather.log

evident gather results
